/** `planvm` at a terminal of its own: util-linux's `script` gives it one; Node has nothing that does. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './repo.ts';

export const hasTerminal: boolean =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).status === 0;

export class Terminal implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #over: Promise<number | null>;
  #text = '';
  #seen = 0;
  /** Called when something is shown, and at the end. */
  #look: () => void = () => {};

  /** `command` follows `planvm`, as a shell reads it. */
  constructor(command: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
    const line = `'${process.execPath}' '${join(root, 'bin/planvm.js')}' ${command}`;
    this.#child = spawn('script', ['-qec', `stty cols 100; ${line}`, '/dev/null'], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm', NO_COLOR: '1', ...env },
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#look();
    });
    this.#over = once(this.#child, 'close').then(([code]) => {
      this.#look();
      return code;
    });
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Settles when a text is among what has been shown since the one before. */
  async shows(text: string): Promise<void> {
    for (;;) {
      const all = stripVTControlCharacters(this.#text);
      const at = all.indexOf(text, this.#seen);
      if (at >= 0) {
        this.#seen = at + text.length;
        return;
      }
      const rest = JSON.stringify(all.slice(this.#seen));
      if (this.#child.exitCode !== null) throw new Error(`ended without "${text}": ${rest}`);
      await new Promise<void>((more) => {
        this.#look = more;
      });
    }
  }

  /** The exit code, when it has ended by itself. */
  async ended(): Promise<number | null> {
    return await this.#over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill();
    await this.#over;
  }
}
