/**
 * The dialects without what reads them: their names, their files, and which of them a text may be
 * written in at all. What reads a dialect is loaded for a text that may be in it; a plan in JSON
 * needs one of eight.
 */
import type { Checked } from '../../dialects/dialect.ts';
import { openEnvelope } from '../../dialects/envelope.ts';
import type { Unwrapped } from '../../dialects/index.ts';
import { type AnyDialect, type DetectOptions, whole } from '../../dialects/languages.ts';
import { detectPlaybooks } from '../../dialects/playbook/detect.ts';

interface Entry {
  readonly name: string;
  readonly extensions: readonly string[];
  /** False only where `detect` of the dialect is 0, and its `isFreeForm` is not asked. */
  readonly mayBe: (text: string, file: string) => boolean;
  readonly load: () => Promise<AnyDialect>;
}

/** No dialect of lines begins like JSON, which may hold anything in its texts. */
const isOfLines = (text: string): boolean => !/^\s*[[{]/.test(text.slice(0, 1000));

const ofLines = (name: string, ending: string, load: Entry['load']): Entry => ({
  ...{ name, extensions: [ending], mayBe: isOfLines, load },
});

/** In the order of `dialects`: it decides between two equally sure. */
const entries: readonly Entry[] = [
  {
    name: 'stackvm-1',
    extensions: [],
    mayBe: () => true,
    load: async () => whole((await import('../../dialects/stackvm/index.ts')).stackvm1),
  },
  {
    name: 'stackvm-2',
    extensions: [],
    mayBe: () => true,
    load: async () => whole((await import('../../dialects/stackvm/index.ts')).stackvm2),
  },
  ofLines('starlark', '.star', async () =>
    whole((await import('../../dialects/starlark/index.ts')).starlark),
  ),
  ofLines('llmcompiler', '.llmcompiler', async () =>
    whole((await import('../../dialects/llmcompiler/index.ts')).llmcompiler),
  ),
  ofLines('react', '.react', async () =>
    whole((await import('../../dialects/react/index.ts')).react),
  ),
  ofLines('stack', '.stack', async () =>
    whole((await import('../../dialects/stack/index.ts')).stack),
  ),
  ofLines('assembly', '.pvasm', async () =>
    whole((await import('../../dialects/assembly/index.ts')).assembly),
  ),
  {
    name: 'playbook',
    extensions: ['.playbook.md', '.pbasm', '.pb', 'SKILL.md'],
    mayBe: (text, file) => /\.(?:md|markdown)$/i.test(file) || detectPlaybooks(text) > 0,
    load: loadPlaybook,
  },
];

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
  const isByName = ({ name }: Entry): boolean => name === dialect;
  const isByFile = ({ extensions }: Entry): boolean => extensions.some((end) => file.endsWith(end));
  const only = dialect === undefined ? entries.find(isByFile) : entries.find(isByName);
  const isWanted = (entry: Entry): boolean =>
    only || dialect !== undefined ? entry === only : entry.mayBe(text, file);
  return await Promise.all(
    entries.map((entry) => (isWanted(entry) ? entry.load() : unread(entry))),
  );
}

function unread({ name, extensions }: Entry): KnownDialect {
  return {
    ...{ name, extensions },
    detect: () => 0,
    check(): Checked {
      throw new Error(`what reads ${name} is not loaded`);
    },
  };
}

/** As `unwrap` of all dialects, which are loaded where there is something to unwrap. */
export async function unwrapOnDemand(text: string): Promise<Unwrapped> {
  if (!openEnvelope(text)) return { text, said: [] };
  const { unwrap } = await import('../../dialects/index.ts');
  return unwrap(text);
}
