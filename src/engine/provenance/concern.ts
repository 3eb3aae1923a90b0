/**
 * Why a person is asked about a call that cannot be undone, as far as it is about where its
 * arguments come from; and where answers come from. Says addresses and names of tools alone, never
 * what pages say of themselves.
 */
import type { Request, Source } from '../../program/effect.ts';
import type { ExecutionParts } from '../execution-parts.ts';
import type { Journal, RunEvent } from '../journal/journal.ts';
import type { Recorder } from '../journal/recorder.ts';
import { type Load, loadProgram, type RecordedRun } from '../load.ts';
import type { Past } from '../past/past.ts';
import { readPast } from '../past/read-past.ts';
import type { Answer, AnswerSource, RunResult } from '../result.ts';
import { findRun } from '../run-name.ts';
import { type Earlier, noEarlier, readSettings } from '../settings.ts';
import {
  type ArgumentOrigin,
  isFromProgram,
  type Performed,
  type Provenance,
  type ProvenanceParts,
  provenanceOf,
} from './provenance.ts';

const effectsShown = 3;
const argumentsShown = 4;
const sourcesShown = 2;
const urlCharacters = 80;

type RunParts = Pick<ExecutionParts, 'program' | 'specs' | 'journal' | 'lease' | 'past'>;

/** Of requests of a run. The journal is read when a person is to be asked, and not before. */
export const concernIn =
  ({ program, specs, journal, lease: { run }, past: { writer } }: RunParts, recorder: Recorder) =>
  (request: Request): string | undefined => {
    const past = (): Past => {
      recorder.flush();
      return readPast(journal.events(run));
    };
    const { inputs: earlier, program: isFromEarlier } = earlierIn(journal, run);
    const rewritten = isFromEarlier ? 'earlier' : writer !== 'person' && 'changed';
    const said = concernOf({ program, specs, past, earlier }, request, rewritten);
    // Its text and its inputs are what an effect of another run has made of what that one knew.
    const parent = journal.find(run)?.parent;
    if (!parent) return said;
    const within = `it is called within ${parent.effect} of run ${parent.run}`;
    return said === undefined ? within : `${said}; ${within}`;
  };

/** What a run, and those that it is a fork of, have out of earlier runs. */
function earlierIn(journal: Journal, run: string): Earlier {
  const record = journal.find(run);
  if (!record) return noEarlier;
  const own = readSettings(record.settings).earlier;
  const base = record.base ? earlierIn(journal, record.base.run) : noEarlier;
  return { inputs: [...own.inputs, ...base.inputs], program: own.program || base.program };
}

/**
 * Who has written the program after outcomes were seen, so that its own text is not to be trusted
 * either: a model that has changed it, or one that knew what earlier runs had come to.
 */
type Rewritten = 'changed' | 'earlier' | false;

/**
 * Gives “`to` may come from download (0#2, https://…)”; undefined where nothing untrusted came
 * before, or all arguments are constants of the program, inputs, and what people have said.
 */
export function concernOf(
  parts: ProvenanceParts,
  request: Request,
  rewritten: Rewritten,
): string | undefined {
  if (!rewritten && isFromProgram(parts, request)) return undefined;
  const provenance = provenanceOf(parts);
  const { untrusted, given } = provenance;
  if (untrusted.length === 0 && given.length === 0 && rewritten !== 'earlier') return undefined;
  const seen = effectWords(untrusted, provenance);
  const said = [
    argumentWords(provenance.behind(request), seen, provenance),
    givenWords(provenance, request),
    writerWords(rewritten, seen),
  ].filter((words) => words !== '');
  return said.length === 0 ? undefined : said.join('; ');
}

function writerWords(rewritten: Rewritten, seen: string): string {
  if (rewritten === 'earlier')
    return 'a model has written the program after it had read what came of earlier runs';
  return rewritten && seen !== ''
    ? `a model has changed the program after it had seen ${seen}`
    : '';
}

/** What may come from inputs that earlier runs have left. */
function givenWords({ given, doubted }: Provenance, request: Request): string {
  const names = given.length === 0 ? [] : doubted(request);
  if (names.length === 0) return '';
  const whole = names.includes('') ? 'the call' : listed(names.map(quoted), argumentsShown);
  const inputs = listed(given.map(quoted), argumentsShown);
  return `${whole} may come from what earlier runs have left in ${inputs}`;
}

const quoted = (name: string): string => `\`${name}\``;

/** Arguments that come from the same are said together. */
function argumentWords(
  found: readonly ArgumentOrigin[],
  seen: string,
  provenance: Provenance,
): string {
  const alike = Map.groupBy(found, ({ how, from }) => [how, ...from.map(({ id }) => id)].join());
  const words = [...alike.values()].slice(0, argumentsShown).flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const names = group.flatMap(({ name }) => (name === '' ? [] : [quoted(name)]));
    const what = names.length === 0 ? 'the call' : listed(names, argumentsShown);
    return [`${what} ${originWords(first, seen, provenance)}`];
  });
  return words.join('; ');
}

function originWords({ how, from }: ArgumentOrigin, seen: string, provenance: Provenance): string {
  const effects = effectWords(from, provenance);
  switch (how) {
    case 'made':
      return `may come from ${effects}`;
    case 'chosen':
      return `may have been chosen by ${effects}`;
    case 'own':
      return `may come from ${effects}, which is no constant, behind ${seen}`;
  }
}

function effectWords(effects: readonly Performed[], provenance: Provenance): string {
  const words = effects.slice(0, effectsShown).map((one) => {
    const urls = provenance.sourcesOf(one).map(({ url }) => clip(url));
    const from = urls.length === 0 ? '' : `, ${listed(urls, sourcesShown)}`;
    return `${one.effect.tool} (${one.id}${from})`;
  });
  const more = effects.length - words.length;
  return more > 0 ? `${words.join(', ')} and ${more} more` : words.join(', ');
}

function listed(all: readonly string[], most: number): string {
  const more = all.length - most;
  return more > 0 ? `${all.slice(0, most).join(', ')} and ${more} more` : all.join(', ');
}

const clip = (url: string): string =>
  url.length > urlCharacters ? `${url.slice(0, urlCharacters - 1)}…` : url;

// What answers of a run may be made from: the effects behind each, and the sources of those.

/** An effect that an answer may be made from. */
export interface AnswerEffect {
  readonly id: string;
  readonly tool: string;
  readonly step: string;
  readonly sources: readonly Source[];
}

export interface AnswerOrigin {
  readonly step: string;
  /** In the order in which they began, with those that their own arguments are made from. */
  readonly effects: readonly AnswerEffect[];
}

/**
 * One for each answer. Throws `RunError` where there is no such run, or its program cannot be read
 * any more.
 */
export function answerOrigins(
  { journal, run, load }: RecordedRun,
  answers: readonly Pick<Answer, 'step'>[],
): readonly AnswerOrigin[] {
  findRun(journal, run);
  return originsOfAnswers(partsOf(run, journal.events(run), load), answers);
}

/** The result with `sources` at the answers that have any; the very same where none has. */
export function withSources(result: RunResult, { journal, run, load }: RecordedRun): RunResult {
  if (result.answers.length === 0 || result.answers.some(({ sources }) => sources)) return result;
  const events = journal.events(run);
  const isSourced = events.some((event) => event.type === 'effect.settled' && event.sources);
  if (!isSourced) return result;
  const origins = originsOfAnswers(partsOf(run, events, load), result.answers);
  const answers = result.answers.map((answer, i) => {
    const sources = sourcesOf(origins[i]?.effects ?? []);
    return sources.length > 0 ? { ...answer, sources } : answer;
  });
  return { ...result, answers };
}

/** Each source once, with the first effect that named it. */
export function sourcesOf(effects: readonly AnswerEffect[]): readonly AnswerSource[] {
  const found = new Map<string, AnswerSource>();
  for (const { id: effect, tool, sources } of effects) {
    for (const source of sources) {
      if (!found.has(source.url)) found.set(source.url, { effect, tool, ...source });
    }
  }
  return [...found.values()];
}

function partsOf(run: string, events: readonly RunEvent[], load: Load): ProvenanceParts {
  const past = readPast(events);
  const { program, specs } = loadProgram(run, past, load);
  return { program, specs, past: () => past };
}

function originsOfAnswers(
  parts: ProvenanceParts,
  answers: readonly Pick<Answer, 'step'>[],
): readonly AnswerOrigin[] {
  const { behindAnswer } = provenanceOf(parts);
  return answers.map(({ step }) => ({ step, effects: behindAnswer(step).map(effectOf) }));
}

const effectOf = ({ id, effect: { tool, step, sources = [] } }: Performed): AnswerEffect => ({
  ...{ id, tool, step, sources },
});
