/**
 * A reply as it arrives, read into what it says. Owns the text that is not read yet. A line is read
 * when it has ended, so whatever the pieces are, what is read is that of the whole text.
 *
 * Which form a reply has is seen line by line: JSON in braces, statements between backticks or in a
 * fence for Python, traces in JSON or YAML, items of a list in YAML. Prose between them says
 * nothing.
 */
import { readAllJson } from '../../../program/json-text.ts';
import { operationKeys, operationsIn } from './forms/json-operations.ts';
import { JsonScanner } from './forms/json-scanner.ts';
import { isLogLine, logLine } from './forms/log-lines.ts';
import { isPythonLine, PythonLines } from './forms/python-lines.ts';
import { isTrace, traceSaid } from './forms/trace.ts';
import { bareLine, beginsFence, plainLine, straightened } from './forms/wrapping.ts';
import { beginsItem, beginsYaml, isInItem, yamlItem, yamlTrace } from './forms/yaml-trace.ts';
import type { Said } from './said.ts';

/** What has been read, and how far into the text that was. */
export interface SaidAt {
  readonly said: Said;
  /** Offset behind the line that says it. */
  readonly end: number;
}

type Mode =
  | { readonly is: 'lines' }
  | { readonly is: 'thinking' }
  | { readonly is: 'json'; readonly lines: string[]; readonly scanner: JsonScanner }
  | { readonly is: 'yaml' | 'item'; readonly lines: string[] }
  | { readonly is: 'python'; readonly lines: PythonLines };

type JsonMode = Mode & { readonly is: 'json' };

const lines: Mode = { is: 'lines' };

export class ReplyReader {
  #rest = '';
  #read = 0;
  #mode: Mode = lines;
  /** The word behind the mark of the fence that is open; undefined outside of one. */
  #fence: string | undefined;

  /** Whether the next line begins something of its own. */
  get isBetween(): boolean {
    return this.#mode.is === 'lines';
  }

  /** The next piece of the text. */
  feed(piece: string): SaidAt[] {
    this.#rest += piece;
    const found: SaidAt[] = [];
    for (let at = this.#rest.indexOf('\n'); at >= 0; at = this.#rest.indexOf('\n')) {
      const line = this.#rest.slice(0, at).replace(/\r$/, '');
      this.#rest = this.#rest.slice(at + 1);
      this.#read += at + 1;
      this.#note(this.#line(line), found);
    }
    return found;
  }

  /** The text is over; `isCut` says that it was not meant to be. */
  end(isCut = false): SaidAt[] {
    const found: SaidAt[] = [];
    const line = this.#rest;
    this.#rest = '';
    this.#read += line.length;
    if (line.trim() !== '') {
      // What is no JSON does not say where it ends: a line that was cut may look whole.
      const isWhole = !isCut || this.#mode.is === 'json' || /^\s*[{[].*[}\]]\s*$/.test(line);
      this.#note(isWhole ? this.#line(line) : [{ is: 'cut', text: line }], found);
    }
    // More of an item may have been to come.
    const isOpen = isCut && this.#mode.is === 'item';
    this.#note(isOpen ? [{ is: 'cut', text: line }] : this.#close(true), found);
    return found;
  }

  #note(said: readonly Said[], found: SaidAt[]): void {
    for (const one of said) found.push({ said: one, end: this.#read });
  }

  #line(line: string): readonly Said[] {
    const mode = this.#mode;
    switch (mode.is) {
      case 'thinking':
        return this.#think(line);
      case 'json':
        return this.#goOnWithJson(mode, line);
      case 'yaml':
        if (isFence(line)) return this.#closeFence();
        if (mode.lines.length === 0 && beginsItem(line)) this.#mode = { is: 'item', lines: [line] };
        else mode.lines.push(line);
        return [];
      case 'item':
        if (!isInItem(line)) return [...this.#close(false), ...this.#fresh(line)];
        mode.lines.push(line);
        return [];
      case 'python':
        if (isFence(line) && !mode.lines.isInText) return this.#closeFence();
        // Who begins in one form and goes on in another one means both.
        if (mode.lines.isBetween && beginsOperation(line)) {
          this.#mode = lines;
          return this.#fresh(line);
        }
        return mode.lines.add(line);
      case 'lines':
        return this.#fresh(line);
    }
  }

  #fresh(line: string): readonly Said[] {
    if (isFence(line)) {
      this.#fence =
        this.#fence === undefined ? line.replace(/[\s`~]/g, '').toLowerCase() : undefined;
      if (/^(python3?|py|starlark)$/.test(this.#fence ?? '')) {
        this.#mode = { is: 'python', lines: new PythonLines() };
      } else if (/^ya?ml$/.test(this.#fence ?? '')) this.#mode = { is: 'yaml', lines: [] };
      return [];
    }
    const plain = plainLine(line);
    const bare = bareLine(plain);
    const isJson = /^(?:\{\s*(?:["'}\w“”„«‘‚]|$)|\[\s*(?:[{]|$))/.test(bare);
    if (beginsThought.test(line) || (!isJson && endsThought.test(line))) return this.#think(line);
    if (isJson) {
      if (beginsFence(plain)) this.#fence = 'json';
      const mode: JsonMode = { is: 'json', lines: [], scanner: new JsonScanner() };
      this.#mode = mode;
      return this.#goOnWithJson(mode, bare);
    }
    if (beginsItem(line)) {
      this.#mode = { is: 'item', lines: [line] };
      return [];
    }
    if (isLogLine(plain)) return logLine(plain);
    if (isPythonLine(plain)) {
      const mode = { is: 'python', lines: new PythonLines() } as const;
      this.#mode = mode;
      return mode.lines.add(line);
    }
    if (beginsYaml(plain)) this.#mode = { is: 'yaml', lines: [line] };
    return [];
  }

  /** Thoughts are for nobody; what stands behind them in their last line is read. */
  #think(line: string): readonly Said[] {
    const end = endsThought.exec(line);
    this.#mode = end ? lines : { is: 'thinking' };
    const [, rest = ''] = end ?? [];
    return rest.trim() === '' ? [] : this.#fresh(rest);
  }

  #goOnWithJson(mode: JsonMode, written: string): readonly Said[] {
    const line = mode.scanner.isInText ? written : straightened(written);
    const isNew = mode.lines.length > 0 && beginsOperation(line) && beginsOperation(mode.lines[0]);
    if (isNew || (isFence(line) && !mode.scanner.isInText)) {
      const said = this.#closeJson(mode, false);
      return [...said, ...this.#fresh(line)];
    }
    mode.lines.push(line);
    mode.scanner.add(`${line}\n`);
    return mode.scanner.isWhole ? this.#closeJson(mode, false) : [];
  }

  /** `isEnd`: nothing follows, so what is not whole is cut off, and is not guessed at. */
  #closeJson(mode: JsonMode, isEnd: boolean): readonly Said[] {
    this.#mode = lines;
    const text = mode.lines.join('\n');
    const { isWhole, isInText } = mode.scanner;
    if (!isWhole && isEnd) return [{ is: 'cut', text }];
    if (isInText) return [{ is: 'wrong', text: `got a text without its end in ${clipped(text)}` }];
    return jsonSaid(text);
  }

  #closeFence(): readonly Said[] {
    this.#fence = undefined;
    return this.#close(false);
  }

  #close(isEnd: boolean): readonly Said[] {
    const mode = this.#mode;
    this.#mode = lines;
    switch (mode.is) {
      case 'lines':
        return [];
      case 'thinking':
        return [{ is: 'cut', text: 'a thought that does not end' }];
      case 'json':
        return this.#closeJson(mode, isEnd);
      case 'yaml':
        return yamlTrace(mode.lines);
      case 'item':
        return yamlItem(mode.lines);
      case 'python':
        return mode.lines.end();
    }
  }
}

const beginsThought = /^\s*<(?:think|thinking|reasoning)\s*>/i;
const endsThought = /<\/(?:think|thinking|reasoning)\s*>(.*)$/i;

const isFence = (line: string): boolean => /^\s*(?:```|~~~)[\w-]*\s*$/.test(line);

/** A line that begins an operation of its own, whatever the line before it lacks. */
function beginsOperation(line: string | undefined): boolean {
  const key = /^\s*(?:[-*+]\s+)?\{\s*["'](\w+)["']\s*:/.exec(line ?? '')?.[1];
  return key !== undefined && operationKeys.has(key);
}

function jsonSaid(text: string): readonly Said[] {
  const nodes = readAllJson(text);
  if (nodes.length === 0) return [{ is: 'wrong', text: `cannot read ${clipped(text)} as JSON` }];
  return nodes.flatMap(({ node, repairs }) => [
    ...[...new Set(repairs.map(({ message }) => message))].map(
      (message) => ({ is: 'mended', text: `its JSON was mended: ${message}` }) as const,
    ),
    ...(isTrace(node) ? traceSaid(node) : operationsIn(node)),
  ]);
}

const clipped = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
