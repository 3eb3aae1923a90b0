/** Whether JSON that comes line by line is whole: brackets are counted outside of strings. */
export class JsonScanner {
  #depth = 0;
  #quote = '';
  #escaped = false;
  #last = '';

  add(line: string): void {
    for (const sign of line) this.#take(sign);
  }

  get isWhole(): boolean {
    return this.#depth <= 0 && this.#quote === '';
  }

  get isInText(): boolean {
    return this.#quote !== '';
  }

  #take(sign: string): void {
    if (this.#quote !== '') {
      if (this.#escaped) this.#escaped = false;
      else if (sign === '\\') this.#escaped = true;
      else if (sign === this.#quote) this.#quote = '';
      if (this.#quote === '') this.#last = sign;
      return;
    }
    if (sign === '"' || (sign === "'" && '{[,:'.includes(this.#last))) this.#quote = sign;
    else if (sign === '{' || sign === '[') this.#depth++;
    else if (sign === '}' || sign === ']') this.#depth--;
    if (sign.trim() !== '') this.#last = sign;
  }
}
