/**
 * Which of many tools a prompt shows. People connect servers with hundreds of tools, and the
 * signatures of all would cost more than the rest of a prompt: over a budget, those are shown that
 * fit the goal, and of the others the names. A model can ask for more.
 */
import { signatureOf, toolLines } from '../dialects/signature.ts';
import { type Embedder, hits } from '../effects/digest/rank.ts';
import type { AttemptContext } from '../engine/handler.ts';
import type { ToolSpec } from '../program/effect.ts';
import { firstWords } from '../program/together.ts';
import { wordsOfName } from '../program/tool-names.ts';
import { clip } from '../text/words.ts';
import { askedWith, type FormPhrase, toolsWord } from './native-plan.ts';
import { calledTools, namedTools } from './told.ts';

type Tools = ReadonlyMap<string, ToolSpec>;

export interface ToolChoice {
  readonly shown: Tools;
  /** What else there is, as a section of a prompt; empty where all are shown. */
  readonly others: string;
}

export interface ChoiceOptions {
  /** What all signatures and names may cost, in tokens. */
  readonly tokensMax: number;
  readonly embedder?: Embedder | undefined;
  /** Whether the model can ask to see more. Default: yes. */
  readonly asks?: boolean;
  readonly signal: AbortSignal;
}

/** The options of a planner, for as many tokens as the limits of its run allow. */
export const choiceOptions = (
  { limits, signal }: Pick<AttemptContext, 'limits' | 'signal'>,
  more: Pick<ChoiceOptions, 'embedder' | 'asks'> = {},
): ChoiceOptions => ({ tokensMax: limits.toolTokens, signal, ...more });

/** Characters of a token, about. */
const tokenChars = 4;
/** The least share of the budget that signatures have, where not all names fit beside them. */
const signatureShare = 0.3;
/** Parts of a goal that are looked for by themselves, so that none is lost beside a longer one. */
const partsMax = 8;

/** Built-in tools, those that the goal names and those that come first are always shown. */
export async function chooseTools(
  tools: Tools,
  goal: string,
  options: ChoiceOptions,
): Promise<ToolChoice> {
  const charsMax = options.tokensMax * tokenChars;
  const asks = options.asks ?? true;
  const all = [...tools.values()];
  if (haveRoom(tools, options)) return { shown: tools, others: '' };
  const named = namedTools(tools, goal);
  const isShown = (spec: ToolSpec) =>
    spec.kind !== 'tool' || named.has(spec.name) || firstWords(spec) !== undefined;
  const shown = new Set(all.filter(isShown));
  const unshown = all.filter((spec) => !shown.has(spec));
  const ranking = await fitting(unshown, goal, options);
  const allNames = otherLines(unshown, Number.POSITIVE_INFINITY, asks).length;
  const signaturesMax = Math.max(charsMax - allNames, charsMax * signatureShare);
  let room = signaturesMax;
  for (const spec of ranking) {
    const needed = (spec.after ?? []).flatMap((name) => tools.get(name) ?? []);
    const added = [spec, ...needed].filter((one) => !shown.has(one));
    const cost = sum(added.map((one) => costOf(inShort(one))));
    if (cost > room) continue;
    room -= cost;
    for (const one of added) shown.add(one);
  }
  const others = [...new Set([...ranking, ...unshown])].filter((spec) => !shown.has(spec));
  const kept = all.filter((spec) => shown.has(spec));
  return {
    shown: new Map(kept.map((spec) => [spec.name, spec.kind === 'tool' ? inShort(spec) : spec])),
    others: otherLines(others, charsMax - (signaturesMax - room), asks),
  };
}

/** The first sentence of a description, at most. */
const sentenceMax = 160;

/** A tool without what is said of its parameters beside their names and types. */
function inShort(spec: ToolSpec): ToolSpec {
  const { description, parameters } = spec;
  const sentence = /^[^\n]*?[.!?](?=\s|$)/.exec(description)?.[0] ?? description;
  const short = clip(sentence, sentenceMax);
  const first = firstWords(spec);
  const properties = Object.entries(parameters.properties ?? {}).map(
    ([name, { description: _, ...schema }]) => [name, schema] as const,
  );
  return {
    ...spec,
    description: first === undefined || short.includes(first) ? short : `${short} ${first}`,
    parameters: { ...parameters, properties: Object.fromEntries(properties) },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** A tool as a prompt shows it. */
export const linesOf = (spec: ToolSpec): string => toolLines(signatureOf(spec), spec).join('\n');

const haveRoom = (tools: Tools, { tokensMax }: Pick<ChoiceOptions, 'tokensMax'>): boolean =>
  sum([...tools.values()].map(costOf)) <= tokensMax * tokenChars;

const costOf = (spec: ToolSpec): number => linesOf(spec).length + 1;

/** Tools with words of the goal, best first: by the whole goal and by each part, in turns. */
async function fitting(
  specs: readonly ToolSpec[],
  goal: string,
  { embedder, signal }: ChoiceOptions,
): Promise<ToolSpec[]> {
  const texts = specs.map(searchText);
  const parts = goal
    .split(/[.,;:!?\n]+|\s(?:and|then|und|dann|et|puis)\s/)
    .filter((part) => part.trim());
  const queries = parts.length > 1 ? [goal, ...parts.slice(0, partsMax)] : [goal];
  // Only the goal as a whole is looked for by meaning: each ranking embeds all of the texts.
  const rankings = await Promise.all(
    queries.map((query, i) => hits(texts, query, i === 0 ? embedder : undefined, signal)),
  );
  const found = new Set<ToolSpec>();
  for (let place = 0; place < specs.length; place++) {
    for (const ranking of rankings) {
      const spec = specs[ranking[place] ?? -1];
      if (spec) found.add(spec);
    }
  }
  return [...found];
}

/** Names count most. */
function searchText({ name, description, parameters }: ToolSpec): string {
  const words = wordsOfName(name).join(' ');
  const inputs = Object.entries(parameters.properties ?? {}).map(
    ([key, schema]) => `${key.replaceAll('_', ' ')} ${schema.description ?? ''}`,
  );
  return [words, words, description, ...inputs].join('\n');
}

/** A line for each namespace, with as many names as there is room for. */
function otherLines(others: readonly ToolSpec[], charsMax: number, asks: boolean): string {
  if (others.length === 0) return '';
  const spaces = Map.groupBy(others, ({ name }) => namespaceOf(name));
  const rows = [...spaces].map(([space, specs]) => ({
    heading: space === '' ? `- ${specs.length}: ` : `- \`${space}\`, ${specs.length}: `,
    names: specs.map(({ name }) => (space === '' ? name : name.slice(space.length + 1))),
  }));
  const lengths = rows.map(({ heading, names }) => heading.length + inGroups(names).length);
  const room = evenRoom(lengths, charsMax);
  return [
    `There are ${others.length} more tools${asks ? `. ${toolsForm.text}` : ''}:`,
    ...rows.map(({ heading, names }) => heading + namesWithin(names, room - heading.length)),
  ].join('\n');
}

/** The characters that each line may have: short lines leave the rest of their share to others. */
function evenRoom(lengths: readonly number[], charsMax: number): number {
  let left = charsMax;
  const rising = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of rising.entries()) {
    const room = left / (rising.length - index);
    if (length > room) return room;
    left -= length;
  }
  return charsMax;
}

/** How to ask for more tools. */
export const toolsForm: FormPhrase = {
  text:
    'To see how some are called, reply with nothing but lines of ' +
    `\`${toolsWord}\` and their names, or whose they are and what they are to do`,
  native:
    'To see how some are called, write "tools" alone: their names, or whose they are and what ' +
    'they are to do',
  keys: ['tools'],
};

const namespaceOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));

/** Names of one first word share it, as in a shell: `get_{issue,commit}`. */
function inGroups(names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => /^[^_-]+[_-](?=.)/.exec(name)?.[0] ?? name);
  const texts = [...groups].map(([first, [name, ...others]]) =>
    others.length === 0
      ? name
      : `${first}{${[name, ...others].map((one) => one?.slice(first.length)).join()}}`,
  );
  return texts.join(', ');
}

/** What such groups stand for. */
const eachOfGroups = (text: string): string =>
  text.replaceAll(/([^\s{},]+)\{([^{}]*)\}/g, (_, first: string, rests: string) =>
    rests
      .split(',')
      .map((rest) => first + rest.trim())
      .join(' '),
  );

/** As many of the names as there is room for, the first ones first. */
function namesWithin(names: readonly string[], charsMax: number): string {
  const whole = inGroups(names);
  if (whole.length <= charsMax) return whole;
  let [count, tooMany] = [0, names.length];
  while (count + 1 < tooMany) {
    const middle = (count + tooMany) >> 1;
    if (inGroups(names.slice(0, middle)).length <= charsMax) count = middle;
    else tooMany = middle;
  }
  return count === 0 ? '…' : `${inGroups(names.slice(0, count))}, …`;
}

/** Signatures that an answer to such a request has, in characters. */
const answerCharsMax = 4000;

/** What a reply that asks for tools asks for, line by line; none for any other reply. */
export const wantedTools = (reply: string): readonly string[] => askedWith(toolsWord, reply);

/** What a model is told that asks for tools; empty for any other reply. */
export async function moreTools(
  tools: Tools,
  reply: string,
  options: ChoiceOptions,
): Promise<string> {
  const wanted = wantedTools(reply);
  return wanted.length === 0 ? '' : await toolsAsked(tools, wanted, options);
}

/** The tools that lines ask for, by name, by namespace or in words, as a model is told of them. */
export async function toolsAsked(
  tools: Tools,
  wanted: readonly string[],
  options: ChoiceOptions,
): Promise<string> {
  const asked = wanted.map(eachOfGroups);
  const all = [...tools.values()];
  const exact = namedTools(tools, asked.join('\n'));
  const inWords = asked.filter((line) => namedTools(tools, line).size === 0).join('\n');
  const specs = all.filter(({ kind }) => kind === 'tool');
  const ofSpace = specs.filter(({ name }) => wanted.includes(namespaceOf(name)));
  const fit = inWords === '' ? [] : await fitting(specs, inWords, options);
  const named = all.filter(({ name }) => exact.has(name));
  let room = answerCharsMax;
  const shown = new Map<ToolSpec, string>();
  for (const spec of new Set([...named, ...fit, ...ofSpace])) {
    const isNamed = exact.has(spec.name);
    const lines = linesOf(isNamed ? spec : inShort(spec));
    room -= lines.length + 1;
    if (room >= 0 || (isNamed && room > -answerCharsMax)) shown.set(spec, lines);
  }
  if (shown.size === 0) return noneSuch(specs);
  const rest = ofSpace.flatMap((spec) => (shown.has(spec) ? [] : spec.name));
  const more = rest.length > 0 ? [`And: ${rest.join(', ')}`] : [];
  return ['These fit best:', ...shown.values(), ...more].join('\n');
}

function noneSuch(specs: readonly ToolSpec[]): string {
  const spaces = new Set(specs.map(({ name }) => namespaceOf(name)).filter(Boolean));
  const others = spaces.size > 0 ? ` There are tools of ${[...spaces].join(', ')}.` : '';
  return `No tool has such words.${others}`;
}

/** The signatures of the tools that a program calls, where a prompt has not shown all. */
export function signaturesNamed(
  tools: Tools,
  text: string,
  options: Pick<ChoiceOptions, 'tokensMax'>,
): string {
  if (haveRoom(tools, options)) return '';
  const named = calledTools(tools, text);
  const specs = [...tools.values()].filter(({ name, kind }) => kind === 'tool' && named.has(name));
  return specs.length === 0 ? '' : ['The tools that it calls:', ...specs.map(linesOf)].join('\n');
}
