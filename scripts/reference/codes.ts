/** Every table of diagnostic codes of the sources: what `codes.ts` and `…-codes.ts` export. */
import { globSync } from 'node:fs';

type Meanings = Readonly<Record<string, string>>;

const root = new URL('../../', import.meta.url);
const files = globSync(['src/**/codes.ts', 'src/**/*-codes.ts'], { cwd: root }).sort();

async function meaningsIn(file: string): Promise<Meanings> {
  const { codes }: { codes?: Meanings } = await import(new URL(file, root).href);
  if (codes === undefined) throw new Error(`${file} exports no codes`);
  return codes;
}

/** Meanings by code, and the file they are from. */
export const codeTables: ReadonlyMap<string, Meanings> = new Map(
  await Promise.all(files.map(async (file) => [file, await meaningsIn(file)] as const)),
);
