/**
 * What the names of tools mean. A tool has one canonical name, which constants, requests, the
 * journal, limits and approvals have; dots in it are namespaces: `filesystem.read_file`. Whoever
 * writes a program may call it otherwise. In this order a name is:
 *
 * 1. the canonical name of a tool,
 * 2. an alias that one tool alone declares: `WebHelpers.get_url`,
 * 3. the end of one canonical name alone, from behind a dot: `read_file`.
 *
 * What two tools could be meant by means neither, so that a tool that comes to a run never silently
 * takes the place of another.
 */
import { editDistance, nearest } from './diagnostic.ts';
import type { ToolSpec } from './effect.ts';
import type { JsonSchema } from './json-schema.ts';

type Tools = ReadonlyMap<string, ToolSpec>;

interface Index {
  /** By alias and by end, without canonical names; null where several tools are meant. */
  readonly others: ReadonlyMap<string, ToolSpec | null>;
  readonly rivals: ReadonlyMap<string, readonly string[]>;
}

/** The tool that a name means; undefined where there is none, or several. */
export const findTool = (tools: Tools, name: string): ToolSpec | undefined =>
  tools.get(name) ?? indexOf(tools).others.get(name) ?? undefined;

/** Every name that means a tool, with that tool: canonical ones first. */
export function* toolNamesIn(tools: Tools): IterableIterator<readonly [string, ToolSpec]> {
  yield* tools;
  for (const [name, spec] of indexOf(tools).others) if (spec) yield [name, spec];
}

/** The canonical names that a name might mean, where it means several. */
export const rivalsFor = (tools: Tools, name: string): readonly string[] =>
  tools.has(name) ? [] : (indexOf(tools).rivals.get(name) ?? []);

/** The canonical name of the tool that was probably meant by a name that means none. */
export function nearTool(tools: Tools, name: string): string | undefined {
  const names = new Map([...toolNamesIn(tools)].map(([one, spec]) => [one, spec.name]));
  const near = nearest(name, names.keys());
  return near === undefined ? undefined : names.get(near);
}

const leftOut = new WeakMap<Tools, Tools>();

/** Notes which tools a set leaves out on purpose, so that whoever names one is told so. */
export function leaveOut(tools: Tools, others: Tools): void {
  if (others.size > 0) leftOut.set(tools, others);
}

/** The tool that a name would mean, had it not been left out on purpose. */
export function withheldTool(tools: Tools, name: string): ToolSpec | undefined {
  const others = leftOut.get(tools);
  return others && findTool(others, name);
}

/** What to write in place of a name that means no tool; undefined where nobody can say. */
export function toolHint(tools: Tools, name: string): string | undefined {
  const withheld = withheldTool(tools, name);
  if (withheld) return notAllowed(withheld.name);
  const rivals = rivalsFor(tools, name);
  if (rivals.length > 0) return `several have that name: write ${rivals.join(' or ')}`;
  const near = nearTool(tools, name);
  return near === undefined ? undefined : `did you mean ${near}?`;
}

/** Tools that a hint lists one by one: of more, it names those that may be meant. */
const listedMax = 6;
/** How alike two names are at least of which one may be meant: a word, or half of the letters. */
const alikeMin = -0.5;

/** What to write in place of a name that means no tool: one of `choices`. */
export function unknownToolHint(tools: Tools, wanted: string, choices: Tools = tools): string {
  const hint = toolHint(tools, wanted);
  const names = [...choices].flatMap(([name, { untold }]) => (untold === 'all' ? [] : [name]));
  if (names.length <= listedMax) {
    return withChoice(hint, `the tools are ${names.join(', ') || 'none'}`);
  }
  return hint ?? nearestTools(names, wanted);
}

function nearestTools(names: readonly string[], wanted: string): string {
  const words = new Set(wordsOfName(wanted).map(singular));
  const scored = names.map((name) => {
    const shared = wordsOfName(name).filter((word) => words.has(singular(word))).length;
    const limit = Math.max(name.length, wanted.length);
    const slips = editDistance(name.toLowerCase(), wanted.toLowerCase(), limit);
    return { name, score: shared - slips / limit };
  });
  const near = scored
    .filter(({ score }) => score >= alikeMin)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, 2);
  if (near.length === 0) return `none of the ${names.length} tools has a name like it`;
  return `a tool with a name like it is ${near.map(({ name }) => name).join(', another ')}`;
}

/** In lower case: `createIssue`, `create_issue` and `issue.create` have the same words. */
export const wordsOfName = (name: string): string[] =>
  name
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const singular = (word: string): string => word.replace(/s$/, '');

/** A hint with what there is to choose from behind it. */
export const withChoice = (hint: string | undefined, choice: string): string =>
  hint === undefined ? choice : `${hint}${hint.endsWith('?') ? ' ' : '; '}${choice}`;

/** Of a tool that there is, but not for this run. */
export const notAllowed = (name: string): string =>
  `${name} is not allowed here: what a run may call is said by allow and deny`;

/** Whether a tool is meant by what people write for it: its name, an alias, a pattern. */
export const isMeant = (pattern: string, { name, aliases = [] }: ToolSpec): boolean =>
  matchesTool(pattern, name) || aliases.includes(pattern);

const indices = new WeakMap<Tools, Index>();

/** Made once for a set of tools, which nobody changes. */
function indexOf(tools: Tools): Index {
  const known = indices.get(tools);
  if (known) return known;
  const claims = new Map<string, ToolSpec[]>();
  for (const spec of tools.values()) {
    for (const alias of spec.aliases ?? []) claim(claims, alias, spec);
  }
  const aliases = new Set(claims.keys());
  for (const spec of tools.values()) {
    for (const end of endsOf(spec.name)) if (!aliases.has(end)) claim(claims, end, spec);
  }
  const others = new Map<string, ToolSpec | null>();
  const rivals = new Map<string, readonly string[]>();
  for (const [name, specs] of claims) {
    if (tools.has(name)) continue;
    const [only = null, ...more] = specs;
    others.set(name, more.length === 0 ? only : null);
    if (more.length > 0) {
      const names = specs.map((spec) => spec.name);
      rivals.set(name, names);
    }
  }
  const made = { others, rivals };
  indices.set(tools, made);
  return made;
}

function claim(claims: Map<string, ToolSpec[]>, name: string, spec: ToolSpec): void {
  const before = claims.get(name);
  if (before) before.push(spec);
  else claims.set(name, [spec]);
}

/** `b.c` and `c` of `a.b.c`. */
function endsOf(name: string): string[] {
  const ends: string[] = [];
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    if (at + 1 < name.length) ends.push(name.slice(at + 1));
  }
  return ends;
}

/** Whether a canonical name is meant by a pattern: `*` stands for any characters. */
export function matchesTool(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const parts = pattern.split('*');
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}

/** What stands before the last dot of a canonical name; empty where there is none. */
export const namespaceOf = (name: string): string =>
  name.slice(0, Math.max(0, name.lastIndexOf('.')));

/**
 * What the names of a tool's parameters mean. A parameter has one canonical name, its key in the
 * schema of the tool; requests, the journal, pins and prompts have that name alone. Its keyword
 * `x-aliases` lists further names by which programs and models may give it: those of another tool
 * that this one stands for. A canonical name always means its own parameter.
 */
export const aliasesKeyword = 'x-aliases';

const parameterIndices = new WeakMap<JsonSchema, ReadonlyMap<string, string>>();

/** The canonical name of the parameter; the name itself where it is nobody's alias. */
export const parameterName = (parameters: JsonSchema, name: string): string =>
  parameterIndex(parameters).get(name) ?? name;

/** Made once for a schema, which nobody changes. */
function parameterIndex(parameters: JsonSchema): ReadonlyMap<string, string> {
  const known = parameterIndices.get(parameters);
  if (known) return known;
  const { properties = {} } = parameters;
  const index = new Map<string, string>();
  for (const [name, schema] of Object.entries(properties)) {
    for (const alias of parameterAliases(schema)) {
      if (!Object.hasOwn(properties, alias)) index.set(alias, name);
    }
  }
  parameterIndices.set(parameters, index);
  return index;
}

/** The further names of a parameter with this schema. */
export function parameterAliases({ [aliasesKeyword]: aliases }: JsonSchema): readonly string[] {
  return Array.isArray(aliases) ? aliases.filter((one) => typeof one === 'string') : [];
}

/** The schemas of parameters without their aliases: what servers of models are sent. */
export const withoutAliases = (
  properties: NonNullable<JsonSchema['properties']>,
): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { [aliasesKeyword]: _aliases, ...schema }]) => [
      name,
      schema,
    ]),
  );

// The helper of `llm_bind`, as programs write it: `WebHelpers.get_profile(first_name, last_name)`.
// A comma that is missing between two names is put there. Pure; checkers and the machine read it.

/** The tool that finds the arguments of a helper. */
export const bindingTool = 'bind_arguments';

export interface HelperCall {
  /** As it is written: any name of a tool. */
  readonly name: string;
  /** The parameters that are named; none means all that the helper needs. */
  readonly wanted: readonly string[];
  /** What had to be mended, in words. */
  readonly mended: readonly string[];
}

/** Undefined for a text that is no name, alone or with names in parentheses behind it. */
export function readHelperCall(text: string): HelperCall | undefined {
  const [, name, inside = ''] =
    /^([A-Za-z_][\w.-]*)\s*(?:\(([^()]*)\)\s*;?)?$/.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  const wanted: string[] = [];
  const mended: string[] = [];
  for (const part of inside.split(',')) {
    // `name: str`, `name=None` and `*` are taken for what they say of the name.
    const words = part
      .replace(/[=:].*$/s, '')
      .split(/\s+/)
      .filter((word) => word !== '' && word !== '*');
    if (words.some((word) => !/^[A-Za-z_][\w-]*$/.test(word))) return undefined;
    if (words.length > 1) mended.push(`a comma was put between ${words.join(' and ')}`);
    wanted.push(...words);
  }
  return { name, wanted, mended };
}
