/**
 * Small playbooks put in the place of the step that calls them, so that a model does both in one
 * go. The step keeps its number and gets the steps of the callee under it, with arguments set
 * first, local variables renamed, and its return value assigned.
 */
import { counted } from '../../../program/counted.ts';
import type { SaidModels } from '../../dialect.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { givenType } from '../compiled/declared-types.ts';
import { flatSteps } from '../compiled/graph.ts';
import type { Bodies, Inlining } from '../compiled/linked.ts';
import { endText, headText } from '../compiled/standing.ts';
import { modelNamed } from '../source/models.ts';
import type { Draft } from '../steps/draft.ts';
import { meaningOf } from '../steps/step-text.ts';
import { assignmentOf, renamedBlock } from '../text/blocks.ts';
import { saysBoth } from '../text/both.ts';
import { boundArguments, declared, inOrder, ownLocals, typeOf } from './bound-arguments.ts';
import { playbookOf } from './callees.ts';
import {
  callsOf,
  reasonAgainst,
  reasonOfQuestions,
  reasonOfScope,
  type Site,
  type Work,
} from './inlinable.ts';
import { reasonOfRounds } from './kept-locals.ts';
import { firingOf } from './may-fire.ts';
import { plainWordsIn, renamed, renaming, wordsIn } from './renaming.ts';

export interface Inlined {
  readonly file: CompiledFile;
  readonly inlining: readonly Inlining[];
  /** `Agent.Caller:03.02` to `Callee:02`. */
  readonly origins: ReadonlyMap<string, string>;
}

export function inlined(
  file: CompiledFile,
  bodies: Bodies,
  stepsMax: number,
  models: SaidModels['named'],
): Inlined {
  const inlining: Inlining[] = [];
  const origins = new Map<string, string>();
  const agents = file.agents.map((agent): CompiledAgent => {
    const calls = callsOf(agent);
    const work: Work = {
      ...{ agent, bodies, stepsMax, inlining, origins, calls, done: new Map() },
      firing: firingOf(agent, file.agents),
      modelOf: (playbook) => modelNamed(file, agent, playbook, models),
    };
    return { ...agent, playbooks: agent.playbooks.map((playbook) => expanded(playbook, work)) };
  });
  return { file: { ...file, agents }, inlining, origins };
}

/** A playbook in which small ones stand in the places of their calls. */
function expanded(playbook: CompiledPlaybook, work: Work): CompiledPlaybook {
  const known = work.done.get(playbook.name);
  if (known) return known;
  const id = `${work.agent.name}.${playbook.name}`;
  const taken = wordsIn(playbook, work.agent);
  const site: Site = { playbook, id, taken, locals: new Set(ownLocals(playbook)), items: none };
  const steps = playbook.steps.map((step) => inlineStep(step, site, work));
  const isSame = steps.every((one, at) => one === playbook.steps[at]);
  const done = isSame ? playbook : { ...playbook, steps };
  work.done.set(playbook.name, done);
  return done;
}

const none: ReadonlySet<string> = new Set();

/** With what the rounds of loops around it go over, behind their heads. */
const withItems = ({ code, writes }: Pick<Step, 'code' | 'writes'>, items: Site['items']) =>
  code === 'LOP' ? new Set([...items, ...writes]) : items;

function inlineStep(step: Step, site: Site, work: Work): Step {
  const within = { ...site, items: withItems(step, site.items) };
  const children = step.children.map((child) => inlineStep(child, within, work));
  const same = children.every((child, at) => child === step.children[at]);
  const own = same ? step : { ...step, children };
  const callee = step.code === 'QUE' || step.code === 'RET' ? calleeOf(step, work) : undefined;
  if (!callee) return own;
  const { stepsMax, inlining } = work;
  const against = reasonAgainst(step, callee, site, work);
  const whole = against === undefined ? expanded(callee, work) : callee;
  const count = flatSteps(whole.steps).length;
  // With what stands in it, it may be too large, and without that not.
  const chosen = count <= stepsMax ? whole : callee;
  const why =
    against ??
    reasonOfScope(chosen, site) ??
    reasonOfRounds(chosen, step, site.playbook) ??
    reasonOfQuestions(chosen, step, site, work);
  const isInlined = why === undefined;
  const steps = flatSteps((isInlined ? chosen : callee).steps).length;
  const stays = chosen === whole ? '' : staying(callee, count, work);
  const jumps = isInlined && earlyIn(step, chosen).size > 0 ? jumpsBehind : '';
  const note = isInlined ? `${counted(steps, 'step')}, at most ${stepsMax}${stays}${jumps}` : why;
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

const calleeOf = ({ call }: Step, { agent }: Work): CompiledPlaybook | undefined =>
  call && playbookOf(agent, call.callee);

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

/** The step with the callee under it; what it returns goes where the call's result was to go. */
function placed(step: Step, callee: CompiledPlaybook, site: Site, work: Work): Step {
  const { id } = site;
  const rename = renaming(step, callee, site, work.agent);
  const into = step.call?.into;
  const { type = givenType(callee) } = typeOf(assignmentOf(step) ?? {});
  const own = ownLocals(callee);
  const locals = new Set(own.map((name) => rename.get(name) ?? name));
  // What comes to stand beside it must not be read by it, nor read what is its own.
  for (const name of locals) site.locals.add(name);
  for (const name of plainWordsIn(callee)) if (!own.includes(name)) site.taken.add(name);
  const drafts: Placed[] = (inOrder(boundArguments(step, callee) ?? []) ?? [])
    .map(({ name, ...rest }) => ({ name: rename.get(name) ?? name, ...rest }))
    .filter(({ name, value }) => name !== value)
    .map(({ name, value, type }) => added('EXE', `${declared(name, type)} = ${value}`, step));
  const target = step.code === 'RET' ? 'returns' : into && declared(into, type);
  const early = earlyIn(step, callee);
  drafts.push(...callee.steps.flatMap((one) => placedStep(one, { rename, into: target, early })));
  if (isSetAtEnd(step, callee.steps)) drafts.push(added('EXE', `${into} = None`, step));
  if (early.size > 0) drafts.push({ ...added('EXE', endText(callee.name), step), from: end });
  if (step.code === 'RET' && !alwaysReturns(callee.steps)) {
    drafts.push(added('RET', '', step));
  }
  const numbers = new Map(drafts.flatMap((one, at) => numbersIn(one, inside(step.number, at))));
  const children = drafts.map((draft, at) =>
    withNumbers(draft, inside(step.number, at), {
      at: step.number,
      numbers,
      locals,
      items: none,
      callee,
      id,
      work,
    }),
  );
  const { call, value, ...bare } = step;
  const text = headText(callee.name, call?.args ?? '');
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
  /** Whether a question is to be put where its variables are set: that is the callee's to say. */
  readonly asked?: Pick<Step, 'asks' | 'mayHave' | 'wants'>;
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
  const { asks, block, code, children, isAmbiguous, jump, mayHave, number, place, wants } = step;
  const text = renamed(step.text, rename);
  const made = {
    ...{ code, text, place, from: number },
    ...(block === undefined ? {} : { block: renamedBlock(block, rename) }),
    ...(asks && { asked: { asks, ...(wants && { wants }), ...(mayHave && { mayHave }) } }),
    ...(isAmbiguous ? { isAmbiguous } : {}),
    ...(jump === undefined ? {} : { jump }),
    children: children.flatMap((child) => placedStep(child, placing)),
  };
  if (code !== 'RET' || into === 'returns') return made;
  const target = into === undefined ? '' : `${into} = `;
  if (step.call) return { ...made, code: 'QUE', text: `${target}${text}` };
  return {
    ...made,
    ...(saysBoth(text) && { isAmbiguous: true }),
    code: 'EXE',
    text:
      target === '' ? endText(text) : `${target}${step.value === undefined ? 'None' : text}`.trim(),
  };
}

interface Numbering {
  /** The number of the call. */
  readonly at: string;
  /** Of the steps of the callee, where they stand now. */
  readonly numbers: ReadonlyMap<string, string>;
  readonly locals: ReadonlySet<string>;
  /** Of loops around, in the callee. */
  readonly items: ReadonlySet<string>;
  readonly callee: CompiledPlaybook;
  readonly id: string;
  readonly work: Work;
}

function withNumbers(draft: Placed, number: string, to: Numbering): Step {
  const { asked, beside, block, code, from, isAmbiguous, jump, place } = draft;
  const origin = beside ?? from;
  if (origin !== '' && origin !== end) {
    const { origins, agent } = to.work;
    const own = `${to.callee.name}:${origin}`;
    origins.set(`${to.id}:${number}`, origins.get(`${agent.name}.${own}`) ?? own);
  }
  const isMoved = code === 'JMP' && jump !== undefined;
  const text = isMoved ? (to.numbers.get(jump) ?? `${to.at}.${jump}`) : draft.text;
  const meaning = meaningOf({ code, text, block }, to.locals, to.items);
  const within = { ...to, items: withItems({ code, ...meaning }, to.items) };
  const children = draft.children.map((child, at) =>
    withNumbers(child, inside(number, at), within),
  );
  const own = {
    ...(block === undefined ? {} : { block }),
    ...(isAmbiguous ? { isAmbiguous } : {}),
  };
  return { number, code, text, children, place, ...own, ...meaning, ...asked };
}

/** The numbers that the steps of the callee get where they stand now. */
const numbersIn = ({ from, children }: Placed, number: string): (readonly [string, string])[] => [
  [from, number] as const,
  ...children.flatMap((child, at) => numbersIn(child, inside(number, at))),
];

/** The number of the step at an offset under another. */
const inside = (number: string, at: number): string =>
  `${number}.${String(at + 1).padStart(2, '0')}`;
