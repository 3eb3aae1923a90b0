/** Variables that are read where nothing has set them, on some way or on all, and too early. */
import { nearest } from '../../../program/diagnostic.ts';
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { type Filled, filledOf } from '../compiled/filled.ts';
import { queuedBefore, setBefore } from '../compiled/flow.ts';
import { flatSteps, type Graph, isWithin } from '../compiled/graph.ts';
import { lastResult, summaryName } from '../compiled/last-result.ts';
import { type Setting, type UnsetWay, unsetWays } from '../compiled/unset-ways.ts';
import { boundArguments } from '../link/bound-arguments.ts';
import { type Details, type Report, warn } from '../report.ts';
import { argumentsIn } from '../text/calls.ts';
import { loopHead } from '../text/loop-heads.ts';
import { stateNames, writtenName } from '../text/variables.ts';

/** Variables of the agent that a playbook may set: by steps, as parameters, by what words say. */
export const stateOf = ({ description, mode, parameters, steps }: CompiledPlaybook): string[] => [
  // What has no steps does what it is about; between braces it only reads.
  ...(mode === 'steps' ? [] : stateNames(description.replace(/\{[^{}]*\}/g, ''))),
  ...parameters.flatMap(({ name, scope }) => (scope === 'state' ? [`$${name}`] : [])),
  ...flatSteps(steps).flatMap(settable),
];

/** What may set the variables of an agent. */
export interface Writers {
  /** All that something sets, `*` for any. */
  readonly written: ReadonlySet<string>;
  /** By playbook. */
  readonly sets: ReadonlyMap<CompiledPlaybook, readonly string[]>;
  /** Of a run, without dollars. */
  readonly inputs: readonly string[];
  /** Names of playbooks behind which nobody knows what is set, if anything comes behind them. */
  readonly open: ReadonlySet<string>;
}

/** `given` are the variables that something else than playbooks sets, `*` for any. */
export function writersOf(
  { code, playbooks }: CompiledAgent,
  given: readonly string[],
  inputs: readonly string[],
): Writers {
  const calls = Map.groupBy(
    playbooks.flatMap(({ steps }) => flatSteps(steps).filter(({ call }) => call)),
    ({ call }) => call?.callee ?? '',
  );
  const sets = playbooks.map((one) => {
    const { isPublic, name } = one;
    const own = calls.get(name) ?? [];
    const isOpen = own.length === 0 || isPublic || code.some(({ text }) => text.includes(name));
    const bound = isOpen ? [] : own.map((step) => boundArguments(step, one) ?? []);
    const surely = flatSteps(one.steps).flatMap(({ writes }) => writes);
    // A parameter that each call gives the variable of its name is set by none of them.
    const isPassed = (variable: string): boolean =>
      bound.length > 0 &&
      !surely.includes(variable) &&
      bound.every((all) => all.some((it) => it.name === variable && it.value === variable));
    return [one, stateOf(one).filter((name) => !isPassed(name))] as const;
  });
  const written = new Set([...given, ...sets.flatMap(([, names]) => names)]);
  return { written, sets: new Map(sets), inputs, open: openAmong(playbooks) };
}

/** What only a model understands may set anything; what ends the program leaves nothing to read. */
const isOpenStep = ({ isAmbiguous, code, waits }: Step): boolean =>
  isAmbiguous || code === 'TNK' || waits === 'exit';

/** Those with such a step, and those that call one of them. */
function openAmong(playbooks: readonly CompiledPlaybook[]): ReadonlySet<string> {
  const all = playbooks.map((one) => ({ one, steps: flatSteps(one.steps) }));
  const open = new Set(
    all
      .filter(({ one, steps }) => one.mode !== 'steps' || steps.some(isOpenStep))
      .map(({ one }) => one.name),
  );
  for (let known = -1; known < open.size; ) {
    known = open.size;
    for (const { one, steps } of all) {
      if (steps.some(({ call }) => call && open.has(call.callee))) open.add(one.name);
    }
  }
  return open;
}

/** A line that only a model understands may set what it names. */
const settable = ({ code, isAmbiguous, text, writes }: Step): readonly string[] =>
  isAmbiguous || code === 'TNK' ? [...writes, ...stateNames(text)] : writes;

export function near(name: string, known: Iterable<string>): string | undefined {
  // Some scripts write no blanks between words.
  const within = [...known].find(
    (one) => name.startsWith(one) && hasLetters(name.slice(one.length)),
  );
  if (within !== undefined) return `where ${within} is meant, write {${within}}`;
  // With the dollar: names of a letter or two are all near to each other.
  const found = name.length > 3 ? nearest(name, known) : undefined;
  return found === undefined ? undefined : `did you mean ${found}?`;
}

const hasLetters = (rest: string): boolean => /^\p{Lo}/u.test(rest);

/**
 * What another playbook has for itself is not there where this one names it, and what nobody has is
 * said with its braces.
 */
export function checkScopes(
  playbook: CompiledPlaybook,
  { playbooks }: CompiledAgent,
  { written, inputs }: Pick<Writers, 'written' | 'inputs'>,
  report: Report,
): void {
  const steps = flatSteps(playbook.steps);
  const own = new Set([...namesOf(playbook), ...inputs]);
  const others = new Set(playbooks.flatMap(namesOf));
  const isOpen = written.has('*') || steps.some(isOpenStep);
  for (const step of steps) {
    for (const name of bareNames(step)) {
      if (own.has(name) || written.has(`$${name}`)) continue;
      const isTheirs = others.has(name);
      if (!isTheirs && (isOpen || !step.say || !isName.test(name))) continue;
      own.add(name);
      const got = step.say ? `{${name}}` : name;
      const who = isTheirs ? 'only another playbook has' : 'nothing sets: it is said as it stands';
      const message = `got ${got}, which ${who}`;
      const hint = isTheirs
        ? `give ${name} as an argument, or make it $${name}, which all of the agent have`
        : near(name, own);
      const at = `${playbook.name}:${step.number}`;
      const about = { step: at, about: name, ...(hint && { hint }) };
      warn(report, 'unsetVariable', step.place, message, about);
    }
  }
}

/** A word that may be one of a program, and none of its constants. */
const isName = /^(?!(?:None|True|False)$)\p{XIDS}/u;

/**
 * Names without a dollar that can be nothing but variables: filled in, given to a call, returned or
 * put into another one by themselves, compared, gone through.
 */
function bareNames({ call, code, isAmbiguous, say, text, value }: Step): string[] {
  if (isAmbiguous) return [];
  if (say) return say.isLiteral ? namesAt(say.text, /\{(\p{XIDC}+)\}/gu) : [];
  if (call) return argumentsIn(call.args).flatMap((one) => namesAt(one.text, aloneForm));
  if (code === 'CND' || code === 'ELS' || code === 'LOP') {
    const { over } = code === 'LOP' ? loopHead(text) : {};
    const list = over?.kind === 'list' ? namesAt(over.written, aloneForm) : [];
    return [...list, ...namesAt(text, comparedForm)];
  }
  return namesAt(value ?? '', aloneForm);
}

const namesAt = (text: string, form: RegExp): string[] =>
  [...text.matchAll(form)].map(([, name = '']) => name);

const aloneForm = /^(\p{XIDC}+)$/gu;

/** `region == "north"`, `n > 3`; not what has a member, or is one. */
const comparedForm = /(?<![\p{XIDC}$."'{])(\p{XIDC}+)\s*(?:[=!]=|[<>]=?)\s*["'$\d[]/gu;

/** All variables that a playbook is given or sets, as it writes them. */
const namesOf = (playbook: CompiledPlaybook): string[] => [
  ...playbook.parameters.map(({ name }) => name),
  ...stateOf(playbook),
];

export function checkVariables(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
  graph: Graph,
  reached: ReadonlySet<string>,
  { written, sets, inputs, open }: Writers,
  report: Report,
): void {
  const own = new Set(stateOf({ ...playbook, parameters: [] }));
  const elsewhere = [...sets].flatMap(([one, names]) => (one === playbook ? [] : names));
  const others = new Set(elsewhere.filter((name) => name.startsWith('$')));
  const parameters = playbook.parameters.map(writtenName);
  const given = new Set([...parameters, ...inputs.map((name) => `$${name}`)]);
  const told = new Set(playbook.triggers.flatMap(({ names }) => names));
  const before = setBefore(graph, settable);
  const queued = queuedBefore(graph);
  const unsetWay = unsetWaysIn(graph, open);
  const said = new Set<string>();
  for (const one of graph.steps.values()) {
    const { code, number, place, reads, isAmbiguous } = one;
    if (!reached.has(number)) continue;
    const step = `${playbook.name}:${number}`;
    const filled = filledBy(one, agent).filter(({ name }) => own.has(name));
    for (const name of new Set([...reads, ...filled.map((one) => one.name)])) {
      if (name === summaryName && !said.has(name)) {
        said.add(name);
        const hint = `${lastResult} is what the last call returned`;
        const message = `got ${name}, which is a note of a model about what it has played`;
        warn(report, 'unsetVariable', place, message, { step, hint, about: name });
      }
      const isSet = written.has(name) || (written.has('*') && name.startsWith('$'));
      const isOther = others.has(name) || (isSet && !own.has(name));
      if (isAmbiguous || said.has(name) || given.has(name) || isOther) continue;
      if (isWhetherSet(one, name)) continue;
      if (before.get(number)?.has(name)) {
        if (isAskedFirst(one) && !told.has(name) && !setAtFirst(number, graph).has(name)) {
          said.add(name);
          const hint = `set ${name} before the loop`;
          const message = `got ${name}, which only the rounds of ${number} set: the first has none`;
          warn(report, 'perhapsUnset', place, message, { step, hint, about: name });
          continue;
        }
        const way = told.has(name) ? undefined : unsetWay(name, one);
        // What a line decides before it calls, it decides before it reads what that gives.
        if (!way || way.head.place.line === place.line) continue;
        said.add(name);
        warn(report, 'perhapsUnset', place, ...unset(name, way, step));
        continue;
      }
      said.add(name);
      const hint = near(
        name,
        [...given, ...others, ...own].filter((one) => one !== name),
      );
      const message = `got ${name}, which nothing has set before`;
      const to = reads.includes(name) ? undefined : filled.find((one) => one.name === name);
      const notes = to && [{ ...to.place, message: 'it is filled in here' }];
      warn(report, 'unsetVariable', place, message, {
        ...{ step, about: name, ...(hint && { hint }), ...(notes && { notes }) },
      });
    }
    const early = code === 'RET' ? [] : reads.filter((name) => queued.get(number)?.has(name));
    for (const name of early) {
      const message = `got ${name}, whose call may not be done yet, want YLD for call before it`;
      warn(report, 'unyielded', place, message, { step, about: name });
    }
  }
}

/** Whether a loop asks before its first round what something comes to, not whether it is there. */
const isAskedFirst = ({ code, text }: Step): boolean =>
  code === 'LOP' && /^(?:while|as long as)\b.*(?:[<>]|[=!]=|\p{XIDC}\()/isu.test(text);

/** What is set where a loop is come to, and not from its own rounds. */
function setAtFirst(head: string, { steps, edges }: Graph): ReadonlySet<string> {
  const outer = [...edges].map(([from, to]) => {
    return [from, isWithin(from, head) ? to.filter((edge) => edge.to !== head) : to] as const;
  });
  const before = setBefore({ steps, edges: new Map(outer) }, settable);
  return before.get(head) ?? new Set();
}

/** What is filled into the description of the playbook that a step calls. */
function filledBy({ call }: Step, { playbooks }: CompiledAgent): readonly Filled[] {
  const callee = call && playbooks.find(({ name }) => name === call.callee);
  return callee ? filledOf(callee) : [];
}

/** On which way to a step nothing sets a variable, where the step needs it. */
function unsetWaysIn(
  graph: Graph,
  open: ReadonlySet<string>,
): (name: string, step: Step) => UnsetWay | undefined {
  const known = new Map<string, ReturnType<typeof unsetWays>>();
  return (name, step) => {
    if (isAsked(step)) return undefined;
    const ways = known.get(name) ?? unsetWays(graph, name, settingOf(name, open));
    known.set(name, ways);
    return ways(step.number);
  };
}

function unset(name: string, { head, isHolding }: UnsetWay, step: string): [string, Details] {
  const where = `where ${head.number} ${isHolding ? 'holds' : 'does not hold'}`;
  const notes = [{ ...head.place, message: 'this decides' }];
  const hint = `set ${name} before, or on both ways`;
  return [
    `got ${name}, which may be unset: nothing sets it ${where}`,
    { step, hint, notes, about: name },
  ];
}

/** Whether a step is a condition in words: it may well be about what is not there. */
const isAsked = ({ code, text }: Step): boolean =>
  (code === 'CND' || code === 'ELS' || code === 'LOP') && !/[<>]|[=!]=/.test(text);

/** Whether a condition asks if there is a value: `If $x is not set`. */
function isWhetherSet({ code, text }: Step, name: string): boolean {
  const isCondition = code === 'CND' || code === 'ELS' || code === 'LOP';
  const at = text.indexOf(name);
  return isCondition && at >= 0 && whetherSet.test(text.slice(at + name.length));
}

const whetherSet = new RegExp(
  "^\\}?\\s+(?:(?:is|was|has been)(?:n['’]t)?\\s+(?:not\\s+)?(?:yet\\s+)?(?:un)?" +
    '(?:set|defined|known|given|there|missing|none|null)\\b|' +
    "has(?:n['’]t)?\\s+(?:no\\s+|a\\s+)?value\\b)",
  'i',
);

const settingOf = (name: string, open: ReadonlySet<string>): Setting => ({
  sets: (step) => settable(step).includes(name),
  isOpen: (step) => isOpenStep(step) || open.has(step.call?.callee ?? ''),
});
