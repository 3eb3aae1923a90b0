/**
 * Small playbooks put in the place of the step that calls them, so that a model does both in one
 * go. The step keeps its number and gets the steps of the callee under it, with arguments set
 * first, local variables renamed, and its return value assigned.
 */
import { namePattern } from '../../../program/name.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { declaredTypes, fitsOf, givenType, isSameType } from '../compiled/declared-types.ts';
import { flatSteps } from '../compiled/graph.ts';
import { readsLast } from '../compiled/last-result.ts';
import type { Inlining } from '../compiled/linked.ts';
import { meetingOf } from '../source/meeting.ts';
import type { Parameter } from '../source/tree.ts';
import type { Draft } from '../steps/draft.ts';
import { meaningOf } from '../steps/step-text.ts';
import { argumentsIn } from '../text/calls.ts';
import { assignmentIn, unique } from '../text/variables.ts';
import { playbookOf } from './callees.ts';

export interface Inlined {
  readonly file: CompiledFile;
  readonly inlining: readonly Inlining[];
  /** `Agent.Caller:03.02` to `Callee:02`. */
  readonly origins: ReadonlyMap<string, string>;
}

export function inlined(file: CompiledFile, stepsMax: number): Inlined {
  const inlining: Inlining[] = [];
  const origins = new Map<string, string>();
  const agents = file.agents.map((agent): CompiledAgent => {
    const calls = callsOf(agent);
    const work: Work = { agent, stepsMax, inlining, origins, calls, done: new Map() };
    return { ...agent, playbooks: agent.playbooks.map((playbook) => expanded(playbook, work)) };
  });
  return { file: { ...file, agents }, inlining, origins };
}

interface Work {
  readonly agent: CompiledAgent;
  readonly stepsMax: number;
  readonly inlining: Inlining[];
  readonly origins: Map<string, string>;
  readonly calls: ReadonlyMap<string, ReadonlySet<string>>;
  /** Playbooks with what stands in them, by name: of a callee that is what its callers get. */
  readonly done: Map<string, CompiledPlaybook>;
}

interface Site {
  readonly playbook: CompiledPlaybook;
  readonly id: string;
  /** Words that mean something where the callee is to stand: its variables get other names. */
  readonly taken: Set<string>;
}

/** A playbook in which small ones stand in the places of their calls. */
function expanded(playbook: CompiledPlaybook, work: Work): CompiledPlaybook {
  const known = work.done.get(playbook.name);
  if (known) return known;
  const id = `${work.agent.name}.${playbook.name}`;
  const site: Site = { playbook, id, taken: wordsIn(playbook, work.agent) };
  const steps = playbook.steps.map((step) => inlineStep(step, site, work));
  const isSame = steps.every((one, at) => one === playbook.steps[at]);
  const done = isSame ? playbook : { ...playbook, steps };
  work.done.set(playbook.name, done);
  return done;
}

const anyName = new RegExp(namePattern, 'gu');

/** Every word of a playbook, and the variables of its agent. */
function wordsIn({ parameters, steps }: CompiledPlaybook, agent: CompiledAgent): Set<string> {
  const shared = agent.playbooks.flatMap((one) => [
    ...one.parameters.flatMap(({ name, scope }) => (scope === 'state' ? [name] : [])),
    ...flatSteps(one.steps).flatMap(({ writes }) => writes.filter((name) => name.startsWith('$'))),
  ]);
  const words = flatSteps(steps).flatMap(({ text }) => text.match(anyName) ?? []);
  const own = parameters.map(({ name }) => name);
  return new Set([...words, ...own, ...shared.map((name) => name.replace('$', ''))]);
}

/** Which playbooks of an agent each of them calls. */
function callsOf({ name, playbooks }: CompiledAgent): Map<string, ReadonlySet<string>> {
  return new Map(
    playbooks.map((playbook) => {
      const names = flatSteps(playbook.steps).flatMap(({ call }) => (call ? [call.callee] : []));
      return [playbook.name, new Set(names.map((one) => one.replace(`${name}.`, '')))];
    }),
  );
}

function inlineStep(step: Step, site: Site, work: Work): Step {
  const children = step.children.map((child) => inlineStep(child, site, work));
  const same = children.every((child, at) => child === step.children[at]);
  const own = same ? step : { ...step, children };
  const callee = step.code === 'QUE' || step.code === 'RET' ? calleeOf(step, work) : undefined;
  if (!callee) return own;
  const { stepsMax, inlining } = work;
  const why = reasonAgainst(step, callee, site, work);
  const whole = why === undefined ? expanded(callee, work) : callee;
  const count = flatSteps(whole.steps).length;
  // With what stands in it, it may be too large, and without that not.
  const chosen = count <= stepsMax ? whole : callee;
  const steps = flatSteps(chosen.steps).length;
  const isInlined = why === undefined;
  const stays = chosen === whole ? '' : staying(callee, count, work);
  const jumps = isInlined && earlyIn(step, chosen).size > 0 ? jumpsBehind : '';
  const note = isInlined ? `${stepsText(steps)}, at most ${stepsMax}${stays}${jumps}` : why;
  inlining.push({
    ...{ at: `${site.id}:${step.number}`, callee: callee.name, steps, isInlined, why: note },
  });
  return isInlined ? placed(own, chosen, site, work) : own;
}

const jumpsBehind = '; where it returns before its end, what comes is behind it';

/** Of a playbook that is put in a place without what stands in it: whom it still calls there. */
function staying({ name }: CompiledPlaybook, count: number, { agent, inlining }: Work): string {
  const within = `${agent.name}.${name}:`;
  const called = inlining.filter(({ at, isInlined }) => isInlined && at.startsWith(within));
  const names = new Set(called.map(({ callee }) => callee));
  return `; it still calls ${[...names].join(', ')}, with which it has ${count}`;
}

const stepsText = (count: number): string => `${count} step${count === 1 ? '' : 's'}`;

const calleeOf = ({ call }: Step, { agent }: Work): CompiledPlaybook | undefined =>
  call && playbookOf(agent, call.callee);

/** Why a playbook does not stand in the place of a call; undefined where it may. */
function reasonAgainst(
  step: Step,
  callee: CompiledPlaybook,
  { playbook }: Site,
  { agent, stepsMax, calls }: Work,
): string | undefined {
  if (callee.mode !== 'steps') return `it has no steps: it is of mode ${callee.mode}`;
  const steps = flatSteps(callee.steps);
  if (steps.length > stepsMax) return `${stepsText(steps.length)}, more than ${stepsMax}`;
  if (callee.name === playbook.name || reaches(callee.name, callee.name, calls)) {
    return 'it calls itself';
  }
  if (meetingOf(callee)) return 'it is a meeting';
  // What stands there calls others: what a playbook has called last would be another one.
  if (readsLast(callee)) return 'it reads $_, which is of its own calls';
  if (readsLast(playbook)) return `${playbook.name} reads $_, which its calls set`;
  if (callee.notes.length > 0) return 'it has notes, which are for it alone';
  if (/\{[^}]/.test(callee.description)) return 'its description is filled in when it starts';
  if (step.children.length > 0) return 'the step that calls it has steps of its own';
  const held = reasonOfType(step, callee, playbook, agent);
  if (held !== undefined) return held;
  return boundArguments(step, callee)
    ? undefined
    : 'its arguments are not all given by name or place';
}

/** Why what a callee gives could not be held to its type in the place of its call. */
function reasonOfType(
  { call, code, number }: Step,
  callee: CompiledPlaybook,
  caller: CompiledPlaybook,
  { playbooks }: CompiledAgent,
): string | undefined {
  const type = givenType(callee);
  if (type === undefined) return undefined;
  if (code === 'RET') {
    const own = givenType(caller);
    const isHeld = own !== undefined && isSameType(own, type);
    return isHeld ? undefined : `it gives ${type}, and ${caller.name} does not say so`;
  }
  const into = call?.into;
  if (into === undefined) {
    const isGiven = flatSteps(callee.steps).some((one) => one.code === 'RET' && one.text !== '');
    return isGiven ? `it gives ${type}, which no variable takes` : undefined;
  }
  const own = typesIn(caller).get(into.replace('$', ''));
  if (own !== undefined) return isSameType(own, type) ? undefined : `it gives ${type}, not ${own}`;
  // The type of a variable holds whatever sets it, also where the caller stands in another one.
  const isShared = into.startsWith('$');
  const isElsewhere = playbooks.some(
    (one) =>
      (isShared || one === caller) &&
      (one.parameters.some((parameter) => writtenName(parameter) === into) ||
        flatSteps(one.steps).some(
          (step) => step.writes.includes(into) && !(one === caller && step.number === number),
        )),
  );
  return isElsewhere ? `it gives ${type}, and ${into} is set elsewhere, too` : undefined;
}

const typesIn = ({ parameters, steps }: CompiledPlaybook): ReadonlyMap<string, string> =>
  declaredTypes({
    parameters,
    lines: new Map(flatSteps(steps).map((step) => [step.number, { step }])),
  });

function reaches(from: string, to: string, calls: Work['calls']): boolean {
  const seen = new Set<string>();
  const open = [...(calls.get(from) ?? [])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(calls.get(name) ?? []));
  }
  return false;
}

/**
 * The returns that do not come to the end by themselves, or behind which something is set there.
 * Where the call is what its caller returns, each return of the callee is one of the caller.
 */
function earlyIn(step: Step, { steps }: CompiledPlaybook): ReadonlySet<Step> {
  if (step.code === 'RET') return new Set();
  const isSet = isSetAtEnd(step, steps);
  const returns = flatSteps(steps).filter(({ code }) => code === 'RET');
  return new Set(returns.filter((one) => isSet || !isTailIn(steps, one)));
}

/** Whether the result is none on some way: where no return has set it. */
const isSetAtEnd = ({ call, code }: Step, steps: readonly Step[]): boolean =>
  code !== 'RET' && call?.into !== undefined && !alwaysReturns(steps);

/** Whether nothing of a block comes behind a step: what falls out of it comes to the end. */
function isTailIn(steps: readonly Step[], wanted: Step): boolean {
  return steps.some((step, at) => {
    const isLast = steps.slice(at + 1).every(({ code }) => code === 'ELS');
    if (!isLast || step.code === 'LOP') return false;
    return step === wanted || isTailIn(step.children, wanted);
  });
}

interface Bound {
  /** As written in the callee. */
  readonly name: string;
  readonly value: string;
  /** That its values are held to. */
  readonly type?: string;
}

function boundArguments({ call }: Step, { parameters }: CompiledPlaybook): Bound[] | undefined {
  const given = argumentsIn(call?.args ?? '');
  const left = [...parameters];
  const bound: Bound[] = [];
  for (const { name, text } of given) {
    const plain = name?.replace('$', '');
    const at = plain === undefined ? 0 : left.findIndex((one) => one.name === plain);
    const [parameter] = at < 0 ? [] : left.splice(at, 1);
    if (!parameter || text.startsWith('*')) return undefined;
    bound.push({ name: writtenName(parameter), value: text, ...typeOf(parameter) });
  }
  for (const parameter of left) {
    if (parameter.default === undefined) return undefined;
    bound.push({ name: writtenName(parameter), value: parameter.default, ...typeOf(parameter) });
  }
  return bound;
}

/** The type of a variable, where its values are held to it. */
const typeOf = ({ type }: Pick<Parameter, 'type'>): Pick<Bound, 'type'> =>
  type !== undefined && fitsOf(type) ? { type } : {};

const declared = (name: string, type: string | undefined): string =>
  type === undefined ? name : `${name}:${type}`;

const writtenName = ({ name, scope }: { readonly name: string; readonly scope: string }): string =>
  scope === 'state' ? `$${name}` : name;

/** The step with the callee under it; what it returns goes where the call's result was to go. */
function placed(step: Step, callee: CompiledPlaybook, site: Site, work: Work): Step {
  const { id } = site;
  const rename = renaming(step, callee, site, work);
  const into = step.call?.into;
  const { type = givenType(callee) } = typeOf(assignmentIn(step.text) ?? {});
  const locals = new Set([...ownLocals(callee).map((name) => rename.get(name) ?? name)]);
  const drafts: Placed[] = (boundArguments(step, callee) ?? [])
    .map(({ name, ...rest }) => ({ name: rename.get(name) ?? name, ...rest }))
    .filter(({ name, value }) => name !== value)
    .map(({ name, value, type }) => added('EXE', `${declared(name, type)} = ${value}`, step));
  const target = step.code === 'RET' ? 'returns' : into && declared(into, type);
  const early = earlyIn(step, callee);
  drafts.push(...callee.steps.flatMap((one) => placedStep(one, { rename, into: target, early })));
  if (isSetAtEnd(step, callee.steps)) drafts.push(added('EXE', `${into} = None`, step));
  if (early.size > 0) drafts.push({ ...added('EXE', `Done: ${callee.name}`, step), from: end });
  if (step.code === 'RET' && !alwaysReturns(callee.steps)) {
    drafts.push(added('RET', '', step));
  }
  const numbers = new Map(drafts.flatMap((one, at) => numbersIn(one, inside(step.number, at))));
  const children = drafts.map((draft, at) =>
    withNumbers(draft, inside(step.number, at), {
      at: step.number,
      numbers,
      locals,
      callee,
      id,
      work,
    }),
  );
  const { call, value, ...bare } = step;
  const text = `${callee.name}(${call?.args ?? ''}): its lines are here`;
  return { ...bare, code: 'EXE', text, children, writes: [], reads: [] };
}

/** Whether no way through these steps comes to their end without a return. */
function alwaysReturns(steps: readonly Step[]): boolean {
  const last = steps.at(-1);
  if (last?.code === 'RET') return true;
  // What stands in the place of a call.
  if (last?.code === 'EXE') return alwaysReturns(last.children);
  if (last?.code !== 'ELS' || /^(?:otherwise|else)\s+(?:if|when)\b/i.test(last.text)) return false;
  const from = steps.findLastIndex(({ code }) => code === 'CND');
  return from >= 0 && steps.slice(from).every(({ children }) => alwaysReturns(children));
}

interface Placed extends Omit<Draft, 'children'> {
  readonly children: readonly Placed[];
  /** The number in the callee; empty for what was added. */
  readonly from: string;
  /** Of what was added for a step of the callee: its number. */
  readonly beside?: string;
  readonly jump?: string;
}

/** What jumps that leave the callee go to, as the number of a step of it. */
const end = 'end';

/** A step that the callee does not have. */
const added = (code: Placed['code'], text: string, { place }: Step): Placed => ({
  ...{ code, text, children: [], place, from: '' },
});

interface Placing {
  readonly rename: ReadonlyMap<string, string>;
  /** The variable for what it returns; `returns` where that is what its caller returns. */
  readonly into: string | undefined;
  readonly early: ReadonlySet<Step>;
}

/** A step of the callee in the place of the call: a return sets the result, and may leave. */
function placedStep(step: Step, placing: Placing): Placed[] {
  const made = placedAs(step, placing);
  if (!placing.early.has(step)) return [made];
  const { number, place } = step;
  const leaving = { text: '', children: [], place, from: '', beside: number, jump: end };
  return [made, { code: 'JMP', ...leaving }];
}

function placedAs(step: Step, placing: Placing): Placed {
  const { into, rename } = placing;
  const { code, children, isAmbiguous, jump, number, place } = step;
  const text = renamed(step.text, rename);
  const made = {
    ...{ code, text, place, from: number },
    ...(isAmbiguous ? { isAmbiguous } : {}),
    ...(jump === undefined ? {} : { jump }),
    children: children.flatMap((child) => placedStep(child, placing)),
  };
  if (code !== 'RET' || into === 'returns') return made;
  const target = into === undefined ? '' : `${into} = `;
  if (step.call) return { ...made, code: 'QUE', text: `${target}${text}` };
  return {
    ...made,
    code: 'EXE',
    text: target === '' ? `Done: ${text}`.trim() : `${target}${text === '' ? 'None' : text}`,
  };
}

interface Numbering {
  /** The number of the call. */
  readonly at: string;
  /** Of the steps of the callee, where they stand now. */
  readonly numbers: ReadonlyMap<string, string>;
  readonly locals: ReadonlySet<string>;
  readonly callee: CompiledPlaybook;
  readonly id: string;
  readonly work: Work;
}

function withNumbers(draft: Placed, number: string, to: Numbering): Step {
  const { beside, code, from, isAmbiguous, jump, place } = draft;
  const origin = beside ?? from;
  if (origin !== '' && origin !== end) {
    const { origins, agent } = to.work;
    const own = `${to.callee.name}:${origin}`;
    origins.set(`${to.id}:${number}`, origins.get(`${agent.name}.${own}`) ?? own);
  }
  const isMoved = code === 'JMP' && jump !== undefined;
  const text = isMoved ? (to.numbers.get(jump) ?? `${to.at}.${jump}`) : draft.text;
  const children = draft.children.map((child, at) => withNumbers(child, inside(number, at), to));
  const mark = isAmbiguous ? { isAmbiguous } : {};
  return { number, code, text, children, place, ...mark, ...meaningOf(code, text, to.locals) };
}

/** The numbers that the steps of the callee get where they stand now. */
const numbersIn = ({ from, children }: Placed, number: string): (readonly [string, string])[] => [
  [from, number] as const,
  ...children.flatMap((child, at) => numbersIn(child, inside(number, at))),
];

/** The number of the step at an offset under another. */
const inside = (number: string, at: number): string =>
  `${number}.${String(at + 1).padStart(2, '0')}`;

const ownLocals = ({ parameters, steps }: CompiledPlaybook): readonly string[] =>
  unique([
    ...parameters.map(writtenName),
    ...flatSteps(steps).flatMap(({ writes }) => writes),
  ]).filter((name) => !name.startsWith('$'));

/**
 * New names for local variables of a playbook that would mean something else in its caller. A
 * parameter that is given a variable of the call, and never changes, is that variable.
 */
function renaming(
  step: Step,
  callee: CompiledPlaybook,
  { playbook, taken }: Site,
  { agent }: Work,
): ReadonlyMap<string, string> {
  const called = `${callee.name.slice(0, 1).toLowerCase()}${callee.name.slice(1)}`;
  const prefix = `${called}_${step.number.replace(/\./g, '_')}`;
  const others = agent.playbooks.filter((one) => one !== playbook);
  const writesOf = ({ steps }: CompiledPlaybook) =>
    flatSteps(steps).flatMap(({ writes }) => writes);
  const own = writesOf(callee);
  const shared = others.flatMap(writesOf).filter((name) => name.startsWith('$'));
  const changed = new Set([...own, ...shared]);
  // Code may change what all of an agent share.
  const fixed = agent.code.some(({ text }) => /\bstate\b/.test(text)) ? '' : '\\$?';
  const variable = new RegExp(`^${fixed}${namePattern}$`, 'u');
  const given = (boundArguments(step, callee) ?? []).filter(
    ({ name, value, type }) =>
      variable.test(value) &&
      type === undefined &&
      !/^(?:None|True|False)$/.test(value) &&
      !changed.has(name) &&
      !(value.startsWith('$') && changed.has(value)),
  );
  const same = new Map(given.map(({ name, value }) => [name, value]));
  return new Map(
    ownLocals(callee).map((name) => {
      const other = same.get(name) ?? (taken.has(name) ? `${prefix}_${name}` : name);
      taken.add(other);
      return [name, other];
    }),
  );
}

/** A name that is no variable of the agent, no member, and names no argument. */
const word = new RegExp(String.raw`(?<![\p{XIDC}$.'])${namePattern}(?!\s*=[^=]|\p{XIDC}*\()`, 'gu');

/** The one that a step sets. */
const target = new RegExp(String.raw`^(${namePattern})(?=\s*(?::\s*\p{XIDC}+\s*)?=[^=])`, 'u');

/** Words in quotes stay, but for what is filled in there. */
function renamed(text: string, rename: ReadonlyMap<string, string>): string {
  if (rename.size === 0) return text;
  const words = (part: string): string => part.replace(word, (name) => rename.get(name) ?? name);
  return text
    .replace(/"(?:\\.|[^"\\])*"|[^"]+|"/g, (part) =>
      /^".*"$/s.test(part) ? part.replace(/\{[^{}]*\}/g, words) : words(part),
    )
    .replace(target, (name) => rename.get(name) ?? name);
}
