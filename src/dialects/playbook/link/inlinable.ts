/** Whether a playbook may stand in the place of a call, and why not. */
import { counted } from '../../../program/counted.ts';
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { declaredTypes, givenType, isSameType, typeOf } from '../compiled/declared-types.ts';
import { flatSteps } from '../compiled/graph.ts';
import { readsLast } from '../compiled/last-result.ts';
import type { Bodies, Inlining } from '../compiled/linked.ts';
import { mayBeSetAt } from '../compiled/may-set.ts';
import { setIn } from '../source/code.ts';
import { meetingOf } from '../source/meeting.ts';
import { idIn, setBy } from './bodies.ts';
import { boundArguments, inOrder, ownLocals, ownVariables } from './bound-arguments.ts';
import { playbookOf } from './callees.ts';
import { isRound } from './kept-locals.ts';
import { type Firing, reasonOfTriggers } from './may-fire.ts';
import { plainWordsIn } from './renaming.ts';

export interface Work {
  readonly agent: CompiledAgent;
  readonly stepsMax: number;
  readonly inlining: Inlining[];
  readonly origins: Map<string, string>;
  readonly calls: ReadonlyMap<string, ReadonlySet<string>>;
  readonly bodies: Bodies;
  readonly firing: Firing;
  /** The model that somebody has named for a playbook of the agent. */
  readonly modelOf: (playbook: CompiledPlaybook) => string | undefined;
  /** Playbooks with what stands in them, by name: of a callee that is what its callers get. */
  readonly done: Map<string, CompiledPlaybook>;
}

export interface Site {
  readonly playbook: CompiledPlaybook;
  readonly id: string;
  /** Words that mean something where the callee is to stand: its variables get other names. */
  readonly taken: Set<string>;
  /** The local variables there: a callee that names one of them would read it. */
  readonly locals: Set<string>;
  /** Of loops around the call. */
  readonly items: ReadonlySet<string>;
}

/** Which playbooks of an agent each of them calls. */
export function callsOf({ name, playbooks }: CompiledAgent): Map<string, ReadonlySet<string>> {
  return new Map(
    playbooks.map((playbook) => {
      const names = flatSteps(playbook.steps).flatMap(({ call }) => (call ? [call.callee] : []));
      return [playbook.name, new Set(names.map((one) => one.replace(`${name}.`, '')))];
    }),
  );
}

/** Why a playbook does not stand in the place of a call; undefined where it may. */
export function reasonAgainst(
  step: Step,
  callee: CompiledPlaybook,
  { playbook }: Site,
  { agent, bodies, stepsMax, calls, firing, modelOf }: Work,
): string | undefined {
  if (callee.mode !== 'steps') return `it has no steps: it is of mode ${callee.mode}`;
  const steps = flatSteps(callee.steps);
  if (steps.length > stepsMax) return `${counted(steps.length, 'step')}, more than ${stepsMax}`;
  if (callee.name === playbook.name || reaches(callee.name, callee.name, calls)) {
    return 'it calls itself';
  }
  if (meetingOf(callee)) return 'it is a meeting';
  // What stands there calls others: what a playbook has called last would be another one.
  if (readsLast(callee)) return 'it reads $_, which is of its own calls';
  if (readsLast(playbook)) return `${playbook.name} reads $_, which its calls set`;
  if (callee.notes.length > 0) return 'it has notes, which are for it alone';
  if (/\{[^}]/.test(callee.description)) return 'its description is filled in when it starts';
  if (isTold(callee)) return 'its description has more than one line, for it alone';
  const model = modelOf(callee);
  if (model !== modelOf(playbook)) {
    return model === undefined
      ? `${playbook.name} has a model of its own`
      : `it has a model of its own, ${model}`;
  }
  if (step.children.length > 0) return 'the step that calls it has steps of its own';
  const held = reasonOfType(step, callee, playbook, { agent, bodies });
  if (held !== undefined) return held;
  const fired = reasonOfTriggers(callee, bodies.get(idIn(agent, callee)), firing);
  if (fired !== undefined) return fired;
  const bound = boundArguments(step, callee);
  if (!bound) return 'its arguments are not all given by name or place';
  return inOrder(bound) ? undefined : 'its arguments change places with each other';
}

/** Whether a description has more than who calls a playbook is told of it. */
const isTold = ({ description, isHidden }: CompiledPlaybook): boolean =>
  description.trim().includes('\n') || (isHidden && description.trim() !== '');

/**
 * Of what is to stand there: a word that is none of its own variables would be one of its caller,
 * which it does not know.
 */
export function reasonOfScope(
  callee: CompiledPlaybook,
  { items, playbook, locals }: Site,
): string | undefined {
  const own = new Set(ownLocals(callee));
  const read = plainWordsIn(callee).find((name) => locals.has(name) && !own.has(name));
  if (read) return `it names ${read}, which ${playbook.name} has of its own there`;
  // Whoever sets the item in the rounds themselves has nobody count them.
  const set = [...ownVariables(callee), ...flatSteps(callee.steps).flatMap(mayBeSetAt)];
  const item = set.find((name) => name.startsWith('$') && items.has(name));
  return item && `it sets ${item}, which the rounds around its call go over`;
}

/** Why what a callee gives could not be held to its type in the place of its call. */
function reasonOfType(
  { call, code }: Step,
  callee: CompiledPlaybook,
  caller: CompiledPlaybook,
  { agent, bodies }: Pick<Work, 'agent' | 'bodies'>,
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
    const isGiven = flatSteps(callee.steps).some(
      (one) => one.code === 'RET' && (one.call ?? one.value) !== undefined,
    );
    return isGiven ? `it gives ${type}, which no variable takes` : undefined;
  }
  const own = typeOf(typesIn(caller), into);
  if (own !== undefined) return isSameType(own, type) ? undefined : `it gives ${type}, not ${own}`;
  // The type of a variable holds whatever sets it, also where the caller stands in another one.
  const setting = into.startsWith('$') ? agent.playbooks : [caller];
  const set = setting.flatMap((one) => setBy(bodies.get(idIn(agent, one))));
  const times = set.filter((name) => name === into).length;
  return times > 1 ? `it gives ${type}, and ${into} is set elsewhere, too` : undefined;
}

/**
 * Of what is to stand there: a question is left out where what it asks for is there as a turn
 * begins, and who calls a playbook begins one.
 */
export function reasonOfQuestions(
  callee: CompiledPlaybook,
  { number }: Step,
  { playbook }: Site,
  { agent, bodies }: Work,
): string | undefined {
  const asked = flatSteps(callee.steps).flatMap(({ asks = [] }) => asks);
  const [first] = asked;
  if (first === undefined) return undefined;
  const { code, playbooks } = agent;
  // What its own lines set, they set behind the question.
  const set = playbooks.flatMap((one) => {
    const body = bodies.get(idIn(agent, one));
    return one.name === callee.name ? (body?.given ?? []) : setBy(body);
  });
  const all = new Set([...set, ...code.flatMap(setIn)]);
  const other = asked.find((name) => all.has('*') || all.has(name));
  if (other) return `it asks for ${other} only where it has no value, and others set it, too`;
  const calls = playbooks.flatMap(({ steps }) =>
    flatSteps(steps).filter(({ call }) => playbookOf(agent, call?.callee)?.name === callee.name),
  );
  const isAgain =
    isRound(playbook, number) ||
    calls.length > 1 ||
    code.some(({ text }) => text.includes(callee.name));
  return isAgain
    ? `it asks for ${first} only where it has no value, and is called again`
    : undefined;
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
