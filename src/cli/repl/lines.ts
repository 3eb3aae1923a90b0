/**
 * The lines that a person types, or a pipe holds. What it owns: readline and the history. At a
 * terminal it gives both up while something else shows itself or asks there.
 */

import type { Interface } from 'node:readline/promises';
import { clearLine, openLines, type PromptLines } from '../process/prompt-lines.ts';
import { endSignals } from '../process/signals.ts';

export interface LinesOptions extends PromptLines {
  line(text: string): void;
  /** No line comes any more. */
  end(): void;
  /** Ctrl-C at the prompt. */
  interrupt(): void;
}

export class Lines {
  readonly #options: LinesOptions;
  #open: Interface | undefined;
  #ended = false;

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#open = this.#make();
  }

  /** What stands at the prompt and has not been entered. */
  get typed(): string {
    return this.#open?.line ?? '';
  }

  prompt(text: string): void {
    if (!this.#options.isTyped || this.#ended) return;
    this.#open?.setPrompt(text);
    this.#open?.prompt();
  }

  /** Forgets what stands at the prompt. */
  clear(): void {
    clearLine(this.#open);
  }

  /** A line in answer to a question; undefined where it is taken back, or no line comes. */
  read(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    const lines = this.#open;
    if (!lines) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const gone = (): void => resolve(undefined);
      lines.once('close', gone);
      lines.question(prompt, { signal }).then(resolve, gone);
    });
  }

  /** Does something to which the terminal belongs meanwhile, with its signals as ever. */
  async aside<T>(act: () => Promise<T>): Promise<T> {
    const { isTyped } = this.#options;
    const before = new Set(endSignals.flatMap((signal) => process.listeners(signal)));
    if (isTyped) this.#release();
    try {
      return await act();
    } finally {
      // A run that was interrupted leaves ears behind that end the process at the next signal.
      for (const signal of endSignals) {
        for (const heard of process.listeners(signal)) {
          if (!before.has(heard)) process.off(signal, heard);
        }
      }
      if (isTyped && !this.#ended) this.#open = this.#make();
    }
  }

  close(): void {
    this.#ended = true;
    this.#open?.close();
  }

  #release(): void {
    const lines = this.#open;
    this.#open = undefined;
    lines?.close();
  }

  #make(): Interface {
    const lines = openLines(this.#options);
    lines.on('SIGINT', () => this.#options.interrupt());
    lines.on('line', (line) => this.#options.line(line));
    lines.on('close', () => {
      if (this.#open !== lines) return;
      this.#ended = true;
      this.#options.end();
    });
    return lines;
  }
}
