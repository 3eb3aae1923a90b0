/**
 * The YAML that authors write at the head of a file, read by the package `yaml`.
 *
 * It is forgiving where the package is right to refuse, as people and models write metadata by
 * hand: a value of one line that is not YAML, such as `Shop: the small one`, `@team`, `*bold*` or
 * `!important`, is a text. A line that cannot be read is a problem at its place and is left out;
 * the lines around it are read all the same. Throws nothing.
 */
import { isAlias, LineCounter, parseDocument, type ScalarTag, visit } from 'yaml';
import type { Json } from '../program/json.ts';

export interface YamlProblem {
  /** Of the lines that were given, from 1. */
  readonly line: number;
  readonly column: number;
  /** *got X, want Y* */
  readonly message: string;
}

export interface ReadYaml {
  readonly value: Json;
  readonly problems: readonly YamlProblem[];
}

/** How often a text is read again without what was wrong with it. */
const readingsMax = 5;
const shownMax = 60;

export function readYaml(written: readonly string[]): ReadYaml {
  const lines = written.map((line) => line.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length)));
  const problems: YamlProblem[] = [];
  const quoted = new Set<number>();
  for (let reading = 1; ; reading++) {
    const { value, faults } = parsed(lines.join('\n'));
    if (faults.length === 0) return { value, problems };
    for (const fault of faults) {
      const index = fault.line - 1;
      const text = quoted.has(index) ? undefined : withQuotes(lines[index] ?? '');
      quoted.add(index);
      const got = JSON.stringify(written[index]?.trim().slice(0, shownMax));
      const message = `got ${got}, want YAML: ${fault.message}`;
      if (text === undefined && lines[index] !== '') problems.push({ ...fault, message });
      lines[index] = text ?? '';
    }
    if (reading === readingsMax)
      return { value: null, problems: problems.length > 0 ? problems : faults };
  }
}

/** `key: value` with its value as a text in quotes; undefined for any other line. */
function withQuotes(line: string): string | undefined {
  const [, head, value] =
    /^(\s*(?:-\s+)?[^\s"'{[#&*!|>%@`-][^#:]*:\s+)([^"'[{|>#].*)$/.exec(line) ?? [];
  if (head === undefined || value === undefined) return undefined;
  return `${head}${JSON.stringify(value.replace(/\s#.*$/, '').trim())}`;
}

/** What a text says, and the first fault of each line; the value counts where there is none. */
function parsed(text: string): { value: Json; faults: readonly YamlProblem[] } {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    ...{ lineCounter, prettyErrors: false, uniqueKeys: false, intAsBigInt: true },
    customTags: (tags) => [yesOrNo, ...tags],
  });
  const faults = new Map<number, YamlProblem>();
  const note = (offset: number, message: string): void => {
    // A bracket that is not closed is noticed at what follows it.
    const isOpen = message.startsWith('Flow ');
    const at = isOpen ? text.slice(0, offset).trimEnd().length - 1 : offset;
    const { line, col: column } = lineCounter.linePos(at);
    if (!faults.has(line)) faults.set(line, { line, column, message });
  };
  for (const { pos, message } of [...document.errors, ...document.warnings]) note(pos[0], message);
  visit(document, (_key, node) => {
    if (isAlias(node)) note(node.range?.[0] ?? 0, `Aliases are not allowed: *${node.source}`);
  });
  const value = faults.size > 0 ? null : document.toJS({ reviver: (_key, one) => plain(one) });
  return { value, faults: [...faults.values()].sort((a, b) => a.line - b.line) };
}

/** Numbers that a number of JSON does not keep are texts. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : `${value}`;
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
}

/** As people write a boolean, and YAML once had it. */
const yesOrNo: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:yes|no)$/i,
  resolve: (text) => text.toLowerCase() === 'yes',
};
