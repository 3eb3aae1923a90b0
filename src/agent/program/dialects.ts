/**
 * The dialects without what reads them: their names, their files, and which of them a text may be
 * written in at all. What reads a dialect is loaded for a text that may be in it; a plan in JSON
 * needs one of eight.
 */
import type { Checked } from '../../dialects/dialect.ts';
import { type AnyDialect, type DetectOptions, whole } from '../../dialects/languages.ts';
import { type DialectName, dialectFiles, dialectNames } from '../../dialects/names.ts';
import { detectPlaybooks } from '../../dialects/playbook/detect.ts';

const loaders: Readonly<Record<DialectName, () => Promise<AnyDialect>>> = {
  'stackvm-1': async () => whole((await import('../../dialects/stackvm/index.ts')).stackvm1),
  'stackvm-2': async () => whole((await import('../../dialects/stackvm/index.ts')).stackvm2),
  starlark: async () => whole((await import('../../dialects/starlark/index.ts')).starlark),
  llmcompiler: async () => whole((await import('../../dialects/llmcompiler/index.ts')).llmcompiler),
  react: async () => whole((await import('../../dialects/react/index.ts')).react),
  stack: async () => whole((await import('../../dialects/stack/index.ts')).stack),
  playbook: loadPlaybook,
};

async function loadPlaybook(): Promise<AnyDialect> {
  const { playbook, readPlaybooksWith } = await import('../../dialects/playbook/index.ts');
  readPlaybooksWith(await import('../../dialects/playbook/reader.ts'));
  return whole(playbook);
}

/** What detecting and checking look at of a dialect. */
export type KnownDialect = Pick<
  AnyDialect,
  'name' | 'extensions' | 'detect' | 'check' | 'isFreeForm'
>;

/**
 * Every dialect, for `detectAmong` and `checkAmong` with this text and these options: those that
 * could come of it are loaded, the others say that they are not sure of it.
 */
export async function dialectsFor(
  text: string,
  { file = '', dialect }: DetectOptions = {},
): Promise<readonly KnownDialect[]> {
  const byFile = dialectNames.find((name) => dialectFiles[name].some((end) => file.endsWith(end)));
  const only = dialect ?? byFile;
  const isWanted = (name: DialectName): boolean =>
    only === undefined ? mayBe(name, text, file) : name === only;
  return await Promise.all(
    dialectNames.map((name) => (isWanted(name) ? loaders[name]() : unread(name))),
  );
}

/** False only where `detect` of the dialect is 0, and its `isFreeForm` is not asked. */
function mayBe(name: DialectName, text: string, file: string): boolean {
  switch (name) {
    case 'stackvm-1':
    case 'stackvm-2':
      return true;
    case 'playbook':
      return /\.(?:md|markdown)$/i.test(file) || detectPlaybooks(text) > 0;
    default:
      // No dialect of lines begins like JSON, which may hold anything in its texts.
      return !/^\s*[[{]/.test(text.slice(0, 1000));
  }
}

const unread = (name: DialectName): KnownDialect => ({
  ...{ name, extensions: dialectFiles[name] },
  detect: () => 0,
  check(): Checked {
    throw new Error(`what reads ${name} is not loaded`);
  },
});
