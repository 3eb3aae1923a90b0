/** A folder with files and the knowledge base made of them, gone when the test file is done. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { Embedder } from '../../../src/effects/model/embedder.ts';
import { type IngestReport, ingest } from '../../../src/effects/retrieve/ingest.ts';
import { type Knowledge, openKnowledge } from '../../../src/effects/retrieve/knowledge.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Workspace {
  /** Where the files are; the database lies beside it. */
  readonly folder: string;
  readonly database: string;
  write(files: Files): void;
  remove(name: string): void;
  open(embedder?: Embedder): Knowledge;
}

const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

export function workspace(files: Files = {}): Workspace {
  const top = mkdtempSync(join(tmpdir(), 'planvm-knowledge-'));
  cleanups.push(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, 'files');
  const made: Workspace = {
    folder,
    database: join(top, '.planvm', 'knowledge.db'),
    write(more) {
      mkdirSync(folder, { recursive: true });
      for (const [name, content] of Object.entries(more)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), content);
      }
    },
    remove: (name) => rmSync(join(folder, name)),
    open(embedder) {
      const knowledge = openKnowledge(made.database, { embedder });
      cleanups.push(() => knowledge.close());
      return knowledge;
    },
  };
  made.write(files);
  return made;
}

/** A knowledge base of these files. */
export async function loaded(files: Files, embedder?: Embedder): Promise<Knowledge> {
  const space = workspace(files);
  const knowledge = space.open(embedder);
  await ingest(knowledge, [space.folder]);
  return knowledge;
}

/** `name: status` for each file, with the reason and line where it was skipped. */
export const summary = (report: IngestReport): string[] =>
  report.files.map(({ name, status, refusal }) => {
    const place = refusal?.line === undefined ? '' : `:${refusal.line}`;
    return `${name}${place}: ${status}${refusal ? ` ${refusal.code} ${refusal.reason}` : ''}`;
  });
