/**
 * Everything that can be said of compiled playbooks before they run: calls of what there is not,
 * steps that are never reached, variables that nothing sets, triggers that cannot fire.
 */
import { allOf } from '../../../program/counted.ts';
import type { Diagnostic } from '../../../program/diagnostic.ts';
import { nearest } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import type { CodeName } from '../codes.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps, type Graph, graphOf, isWithin, reachedIn } from '../compiled/graph.ts';
import { lastResult } from '../compiled/last-result.ts';
import { begins, hears } from '../compiled/listening.ts';
import { error, found, report as newReport, type Report, take, warn } from '../report.ts';
import { readCode, setIn } from '../source/code.ts';
import type { WordPlace } from '../source/word-place.ts';
import { goesOn, leaves } from '../steps/draft.ts';
import { namesFor } from '../steps/names/names.ts';
import { conditionOf } from '../steps/triggers/trigger.ts';
import { bareCondition, constantOf } from '../text/constant.ts';
import { elseWord } from '../text/words.ts';
import { definedIn } from '../weave/woven-code.ts';
import { checkCalls, offeredBy } from './check-calls.ts';
import { checkCode } from './check-code.ts';
import { checkEndless } from './check-endless.ts';
import { checkFilled, checkPlaceholders } from './check-filled.ts';
import { checkFillings } from './check-fillings.ts';
import { checkMetadata } from './check-metadata.ts';
import { checkModels } from './check-models.ts';
import { checkNames } from './check-names.ts';
import { checkPerson, checkTargets, playedByNobody } from './check-people.ts';
import { checkTriggers } from './check-triggers.ts';
import { checkTypes } from './check-types.ts';
import { checkScopes, checkVariables, type Writers, writersOf } from './check-variables.ts';
import { checkMeeting, checkPauses, checkTimes } from './check-waits.ts';
import { holdsNever, type SureTypes, shownTypes, sureTypes } from './never-holds.ts';

interface Telling {
  /** How many of one code are listed; as many as a person reads, unless one says so. */
  readonly most?: number;
  /** Where words of the text stand. */
  readonly placeOf?: WordPlace;
}

export function checkCompiled(
  file: CompiledFile,
  environment: Environment,
  { most, placeOf }: Telling = {},
): Diagnostic[] {
  const report = newReport(most, placeOf);
  const agents = file.agents.filter(({ kind }) => kind === 'ai');
  const all = agents.flatMap(({ playbooks }) => playbooks);
  if (all.length === 0) {
    const message =
      'got no playbook, want # and the name of an agent, then ## and one of a playbook';
    error(report, 'noPlaybook', { line: 1, column: 1 }, message);
    return found(report);
  }
  duplicates(file.agents, 'duplicateAgent', report);
  for (const agent of agents) checkAgent(agent, file, environment, report);
  for (const agent of file.agents) {
    if (agent.kind === 'mcp') checkServer(agent, file, environment, report);
    if (agent.kind === 'human') checkPerson(agent, report);
  }
  const unlisted = file.agents.filter(
    (one) => one.kind === 'mcp' && !isListed(one, file, environment),
  );
  checkCode(
    file,
    environment,
    unlisted.map(({ name }) => name),
    report,
  );
  checkEntry(all, report);
  checkMetadata(file, report);
  checkModels(file, environment, report);
  // What somebody's message sets off begins when that is said.
  if (!begins(file) && !hears(file)) {
    const place = all[0]?.place ?? { line: 1, column: 1 };
    const hint = 'give one a trigger: ### Triggers, then - At the beginning';
    warn(report, 'neverBegins', place, 'no playbook begins when the program starts', { hint });
  }
  return found(report);
}

function checkAgent(
  agent: CompiledAgent,
  file: CompiledFile,
  environment: Environment,
  report: Report,
): void {
  duplicates(agent.playbooks, 'duplicatePlaybook', report);
  const { tools, inputs } = environment;
  for (const block of agent.code) for (const one of readCode(block).diagnostics) take(report, one);
  checkTypes(agent, report);
  checkNames(agent, report);
  const names = namesFor(agent, file, tools.values());
  const given = [
    ...inputs.map((name) => `$${name}`),
    ...['$startup_message', '$shared_state', lastResult],
    ...agent.code.flatMap(setIn),
  ];
  const writers = writersOf(agent, given, inputs);
  for (const playbook of agent.playbooks) {
    checkCalls(playbook, names, environment, report);
    checkTargets(playbook, file, names, report);
    checkTriggers(playbook, agent, given, report);
    checkFilled(playbook, agent, writers.written, report);
    checkPlaceholders(playbook, agent, names, report);
    checkFillings(playbook, names, report);
    checkTimes(playbook, report);
    checkPauses(playbook, report);
    checkMeeting(playbook, file, names, report);
    if (playbook.mode === 'code') checkFunction(playbook, agent, report);
    if (playbook.mode === 'steps') checkSteps(playbook, agent, given, writers, report);
    checkEndless(playbook, agent, tools, report);
  }
}

/** What is played by code has to have some. */
function checkFunction(
  { name, place }: CompiledPlaybook,
  { code }: CompiledAgent,
  report: Report,
): void {
  const functions = code.flatMap(({ text }) => definedIn(text));
  const isRead = code.every((block) => readCode(block).diagnostics.length === 0);
  if (functions.includes(name) || !isRead) return;
  const close = name.startsWith('_') ? undefined : nearest(name, functions);
  const hint = close === undefined ? 'names with _ are of their block' : `did you mean ${close}?`;
  const message = `got a playbook of mode code, want a function ${name} in a block of its agent`;
  error(report, 'unknownCall', place, message, { hint });
}

/** One playbook of those that start may be the one that takes the inputs. */
function checkEntry(all: readonly CompiledPlaybook[], report: Report): void {
  const entries = all.filter(({ metadata }) => metadata.cli_entry === true);
  const [first, second] = entries;
  if (!first) return;
  if (second) {
    const notes = [{ ...first.place, message: 'the first one is here' }];
    const message = `got cli_entry: true at ${second.written}, want it at one playbook alone`;
    error(report, 'severalEntries', second.place, message, { notes });
  }
  if (first.triggers.some(({ code }) => code === 'BGN')) return;
  const message = `got cli_entry: true at ${first.written}, which does not begin with the program`;
  const hint = 'give it a trigger: ### Triggers, then - At the beginning';
  error(report, 'severalEntries', first.place, message, { hint });
}

/** Its tools are checked where it has been listed; else it is said that they are not. */
function checkServer(
  agent: CompiledAgent,
  file: CompiledFile,
  environment: Environment,
  report: Report,
): void {
  const { name, place, playbooks } = agent;
  const [first] = playbooks;
  if (first) playedByNobody(first.written, name, first.place, report);
  if (isListed(agent, file, environment)) return;
  const message = `what ${name} offers is not known here, so calls of it are not checked`;
  warn(report, 'unknownServer', place, message, { hint: 'a run asks it before it starts' });
}

/** Whether it is known what a server offers. */
const isListed = (agent: CompiledAgent, file: CompiledFile, { tools }: Environment): boolean =>
  offeredBy(agent.name, namesFor(agent, file, tools.values())).length > 0;

function duplicates(
  all: readonly (CompiledAgent | CompiledPlaybook)[],
  code: Extract<CodeName, 'duplicateAgent' | 'duplicatePlaybook'>,
  report: Report,
): void {
  const seen = new Map<string, CompiledAgent | CompiledPlaybook>();
  for (const one of all) {
    const before = seen.get(one.name);
    if (!before) seen.set(one.name, one);
    else {
      const notes = [{ ...before.place, message: 'the first one is here' }];
      error(report, code, one.place, `got the name ${one.name} twice, want each once`, { notes });
    }
  }
}

function checkSteps(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
  given: readonly string[],
  writers: Writers,
  report: Report,
): void {
  const graph = graphOf(playbook.steps);
  const typesOf = ({ reads }: Step): SureTypes =>
    writers.written.has('*') ? new Map() : sureTypes(reads, agent, given, playbook);
  const { steps: reached, isEnding } = reachedIn(withoutEndless(graph));
  const step = (number: string): string => `${playbook.name}:${number}`;
  const stray = checkBlocks(playbook.steps, step, report);
  let isSaid = false;
  for (const one of graph.steps.values()) {
    // What keeps it from being reached has been said.
    isSaid ||= stray.includes(one);
    const isLost = !reached.has(one.number);
    if (!isLost) checkConstant(one, typesOf, step(one.number), report);
    // What comes back to the head of a loop was not written by anyone.
    const isBack = one.code === 'JMP' && graph.edges.get(one.number)?.[0]?.kind === 'loop';
    if (isLost && !isSaid && !isBack) {
      const message = `got ${shown(one)}, which no way through the steps comes to`;
      warn(report, 'unreachable', one.place, message, { step: step(one.number) });
    }
    if (!isBack) isSaid = isLost;
    checkJump(one, graph, playbook, step, report);
  }
  if (!isEnding) {
    const message = `got steps that go round for ever, want one that leads to the end`;
    warn(report, 'noEnd', playbook.place, message, { step: playbook.name });
  }
  checkVariables(playbook, agent, withoutEndless(graph), reached, writers, report);
  checkScopes(playbook, agent, writers, report);
}

/** A loop over what always holds is left by its steps alone, as far as those are understood. */
const withoutEndless = ({ edges, ...graph }: Graph): Graph => ({
  ...graph,
  edges: new Map(
    [...edges].map(([number, to]) => {
      const step = graph.steps.get(number);
      return [number, step && isEndless(step) ? to.filter(({ kind }) => kind !== 'exit') : to];
    }),
  ),
});

const isEndless = ({ children, code, text }: Step): boolean =>
  code === 'LOP' &&
  constantOf(text) === true &&
  flatSteps(children).every(({ isAmbiguous, say }) => !isAmbiguous && (!say || say.isLiteral));

/** A condition that nothing can meet: what stands under it is never done. */
function checkConstant(
  one: Step,
  typesOf: (step: Step) => SureTypes,
  step: string,
  report: Report,
): void {
  if (one.code !== 'CND' && one.code !== 'LOP' && one.code !== 'ELS') return;
  if (one.children.length === 0) return;
  const text = bareCondition(one.text);
  const [first = ''] = /^\p{XIDC}+/u.exec(text) ?? [];
  const condition = conditionOf(one.reads.includes(first) ? `$${text}` : text);
  const isEver = holdsNever(condition, text);
  const types = isEver ? new Map() : typesOf(one);
  if (!isEver && !holdsNever(condition, text, types)) return;
  const why = isEver ? '' : `, as the lines that set it say ${shownTypes(types)}`;
  const message = `got ${shown(one)}, which never holds${why}: nothing under it is done`;
  warn(report, 'unreachable', one.place, message, { step });
}

function checkJump(
  { code, jump, note, number, place }: Step,
  { steps }: Graph,
  { notes }: CompiledPlaybook,
  step: (number: string) => string,
  report: Report,
): void {
  const isOpen = (): boolean =>
    [...steps.values()].some((one) => one.isAmbiguous && isWithin(number, one.number));
  if (code === 'JMP' && jump === leaves) {
    const hint = 'write Return to end the playbook, End program to end all';
    const message = 'got a line that leaves a loop, which is in none';
    error(report, 'badJump', place, message, { hint, step: step(number) });
  } else if (code === 'JMP' && !steps.has(jump ?? '') && !(jump === goesOn && isOpen())) {
    const known = [...steps.keys()];
    const to = jump === undefined || jump === '' ? 'nowhere' : jump;
    const message = `got a jump to ${to}, want a step`;
    const all = known.length > 1 ? `${known[0]} to ${known.at(-1)}` : known.join();
    const hint = `the ${allOf('step', known, all)}`;
    error(report, 'badJump', place, message, { hint, step: step(number) });
  }
  if (code === 'CHK' && !notes.some(({ id }) => id === note)) {
    const known = notes.map(({ id }) => id).join(', ');
    const hint = known === '' ? 'there are no notes' : `the notes are ${known}`;
    warn(report, 'unknownNote', place, `got the note ${note ?? ''}, want one of the playbook`, {
      ...{ hint, step: step(number) },
    });
  }
}

/**
 * An Otherwise stands behind a condition; what loops and decides has something under it. Gives each
 * Otherwise that does not.
 */
function checkBlocks(
  steps: readonly Step[],
  step: (number: string) => string,
  report: Report,
): readonly Step[] {
  return steps.flatMap((one, at) => {
    const before = steps[at - 1]?.code;
    const isStray = one.code === 'ELS' && before !== 'CND' && before !== 'ELS';
    if (isStray) {
      const message = `got ${shown(one)}, want a condition before it`;
      error(report, 'elseless', one.place, message, { step: step(one.number) });
    }
    if (isIdle(one, steps[at + 1])) {
      const message = `got ${shown(one)} with nothing under it`;
      const hint = 'what is to be done there stands further in than its line';
      warn(report, 'emptyBlock', one.place, message, { hint, step: step(one.number) });
    }
    return [...(isStray ? [one] : []), ...checkBlocks(one.children, step, report)];
  });
}

/** What comes back to the head of a loop was not written by anyone; Otherwise may do it all. */
const isIdle = ({ children, code, number }: Step, next: Step | undefined): boolean =>
  (code === 'LOP' && children.every((one) => one.code === 'JMP' && one.jump === number)) ||
  (code === 'CND' && children.length === 0 && !elseWord.test(next?.text ?? ''));

const shown = ({ code, number, text }: Step): string =>
  `${number}:${code} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`.trim();
