/** A folder with files in it, a folder beside it that nobody may see, and the tools of the set. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Folders } from '../../../src/effects/files/folders.ts';
import { listFilesHandler, readFileHandler } from '../../../src/effects/files/read-file.ts';
import { writeHandlers } from '../../../src/effects/files/write-file.ts';
import { checkedHandler } from '../../../src/effects/tool/checked.ts';
import type { Source } from '../../../src/program/effect.ts';
import { type Attempt, attempt } from '../../support/attempt.ts';

export class Sandbox implements Disposable {
  readonly top: string = realpathSync(mkdtempSync(join(tmpdir(), 'planvm-files-')));
  /** Allowed for reading; `out` beside it for writing. */
  readonly data: string = join(this.top, 'data');
  readonly out: string = join(this.top, 'out');
  readonly sources: Source[] = [];
  context: Attempt = attempt();

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    mkdirSync(this.data);
    mkdirSync(this.out);
    this.write('secret.txt', 'a secret');
    for (const [name, content] of Object.entries(files)) this.write(`data/${name}`, content);
  }

  write(name: string, content: string | Uint8Array): void {
    const path = join(this.top, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  read(name: string): string {
    return readFileSync(join(this.top, name), 'utf8');
  }

  folders(changes: Partial<Folders> = {}): Folders {
    return { base: this.top, read: [this.data], write: [this.out], hidden: false, ...changes };
  }

  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    changes: Partial<Folders> = {},
  ): Promise<unknown> {
    const folders = this.folders(changes);
    const handlers = [
      ...[readFileHandler(folders), listFilesHandler(folders)],
      ...writeHandlers(folders),
    ].map(checkedHandler);
    const handler = handlers.find(({ spec }) => spec.name === tool);
    this.context = attempt();
    const source = (one: Source): void => void this.sources.push(one);
    return await handler?.perform(args, { ...this.context, source });
  }

  [Symbol.dispose](): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}
