/**
 * Small playbooks put in the place of the step that calls them, so that a model does both in one
 * go. The step keeps its number and gets the steps of the callee under it, with arguments set
 * first, local variables renamed, and its return value assigned.
 */
import { argumentsIn } from './calls.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Step } from './compiled.ts';
import type { Draft } from './draft.ts';
import { flatSteps } from './graph.ts';
import type { Inlining } from './linked.ts';
import { meaningOf } from './step-text.ts';

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
    const work: Work = { agent, stepsMax, inlining, origins, calls: callsOf(agent) };
    return {
      ...agent,
      playbooks: agent.playbooks.map((playbook) => {
        const place: Site = { playbook, id: `${agent.name}.${playbook.name}` };
        const steps = playbook.steps.map((step) => inlineStep(step, place, work));
        return {
          ...playbook,
          steps: steps.every((one, at) => one === playbook.steps[at]) ? playbook.steps : steps,
        };
      }),
    };
  });
  return { file: { ...file, agents }, inlining, origins };
}

interface Work {
  readonly agent: CompiledAgent;
  readonly stepsMax: number;
  readonly inlining: Inlining[];
  readonly origins: Map<string, string>;
  readonly calls: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Site {
  readonly playbook: CompiledPlaybook;
  readonly id: string;
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
  const callee = step.code === 'QUE' ? calleeOf(step, work) : undefined;
  if (!callee) return own;
  const why = reasonAgainst(step, callee, site, work);
  const count = flatSteps(callee.steps).length;
  const at = `${site.id}:${step.number}`;
  const isInlined = why === undefined;
  const note = isInlined ? `${count} step${count === 1 ? '' : 's'}, at most ${work.stepsMax}` : why;
  work.inlining.push({ at, callee: callee.name, steps: count, isInlined, why: note });
  return isInlined ? placed(own, callee, site, work) : own;
}

const calleeOf = ({ call }: Step, { agent }: Work): CompiledPlaybook | undefined =>
  agent.playbooks.find(
    ({ name }) => call?.callee === name || call?.callee === `${agent.name}.${name}`,
  );

/** Why a playbook does not stand in the place of a call; undefined where it may. */
function reasonAgainst(
  step: Step,
  callee: CompiledPlaybook,
  { playbook }: Site,
  { stepsMax, calls }: Work,
): string | undefined {
  if (callee.mode !== 'steps') return `it has no steps: it is of mode ${callee.mode}`;
  const steps = flatSteps(callee.steps);
  if (steps.length > stepsMax) return `${steps.length} steps, more than ${stepsMax}`;
  if (callee.name === playbook.name || reaches(callee.name, callee.name, calls)) {
    return 'it calls itself';
  }
  if (callee.notes.length > 0) return 'it has notes, which are for it alone';
  if (/\{[^}]/.test(callee.description)) return 'its description is filled in when it starts';
  if (step.children.length > 0) return 'the step that calls it has steps of its own';
  if (!steps.every((one) => one.code !== 'RET' || isTailIn(callee.steps, one))) {
    return 'it returns before its end';
  }
  return boundArguments(step, callee)
    ? undefined
    : 'its arguments are not all given by name or place';
}

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
    bound.push({ name: writtenName(parameter), value: text });
  }
  for (const parameter of left) {
    if (parameter.default === undefined) return undefined;
    bound.push({ name: writtenName(parameter), value: parameter.default });
  }
  return bound;
}

const writtenName = ({ name, scope }: { readonly name: string; readonly scope: string }): string =>
  scope === 'state' ? `$${name}` : name;

/** The step with the callee under it; what it returns goes where the call's result was to go. */
function placed(step: Step, callee: CompiledPlaybook, { id }: Site, work: Work): Step {
  const own = `${callee.name.slice(0, 1).toLowerCase()}${callee.name.slice(1)}`;
  const prefix = `${own}_${step.number.replace(/\./g, '_')}`;
  const rename = renaming(callee, prefix);
  const into = step.call?.into;
  const locals = new Set([...rename.values()]);
  const drafts: Placed[] = (boundArguments(step, callee) ?? [])
    .map(({ name, value }) => [renamed(name, rename), value] as const)
    .filter(([name, value]) => name !== value)
    .map(([name, value]) => ({
      ...{ code: 'EXE', text: `${name} = ${value}`, children: [], place: step.place, from: '' },
    }));
  const shift = drafts.length;
  drafts.push(...callee.steps.map((one) => placedStep(one, rename, into)));
  const children = drafts.map((draft, at) =>
    withNumbers(draft, `${step.number}.${two(at + 1)}`, { step, shift, locals, callee, id, work }),
  );
  const { call, ...bare } = step;
  const text = `${step.text}, which is done here`;
  return { ...bare, code: 'EXE', text, children, writes: [], reads: [] };
}

interface Placed extends Omit<Draft, 'children'> {
  readonly children: readonly Placed[];
  /** The number in the callee; empty for what was added. */
  readonly from: string;
  readonly jump?: string;
}

function placedStep(
  step: Step,
  rename: ReadonlyMap<string, string>,
  into: string | undefined,
): Placed {
  const { code, children, isAmbiguous, jump, number, place } = step;
  const text = renamed(step.text, rename);
  const made = {
    ...{ code, text, place, from: number },
    ...(isAmbiguous ? { isAmbiguous } : {}),
    ...(jump === undefined ? {} : { jump }),
    children: children.map((child) => placedStep(child, rename, into)),
  };
  if (code !== 'RET') return made;
  const target = into === undefined ? '' : `${into} = `;
  if (step.call) return { ...made, code: 'QUE', text: `${target}${text}` };
  return {
    ...made,
    code: 'EXE',
    text: target === '' ? `Done: ${text}`.trim() : `${target}${text === '' ? 'None' : text}`,
  };
}

interface Numbering {
  readonly step: Step;
  readonly shift: number;
  readonly locals: ReadonlySet<string>;
  readonly callee: CompiledPlaybook;
  readonly id: string;
  readonly work: Work;
}

function withNumbers(draft: Placed, number: string, to: Numbering): Step {
  const { code, from, isAmbiguous, jump, place } = draft;
  if (from !== '') to.work.origins.set(`${to.id}:${number}`, `${to.callee.name}:${from}`);
  const text = code === 'JMP' && jump !== undefined ? moved(jump, to) : draft.text;
  const children = draft.children.map((child, at) =>
    withNumbers(child, `${number}.${two(at + 1)}`, to),
  );
  const mark = isAmbiguous ? { isAmbiguous } : {};
  return { number, code, text, children, place, ...mark, ...meaningOf(code, text, to.locals) };
}

/** The number of a step of the callee in the place where it stands now. */
function moved(number: string, { step, shift }: Numbering): string {
  const [first = '', ...rest] = number.split('.');
  return [step.number, two(Number(first) + shift), ...rest].join('.');
}

const two = (ordinal: number): string => String(ordinal).padStart(2, '0');

/** New names for the local variables of a playbook. */
function renaming(
  { parameters, steps }: CompiledPlaybook,
  prefix: string,
): ReadonlyMap<string, string> {
  const own = [
    ...parameters.map(writtenName),
    ...flatSteps(steps).flatMap(({ writes }) => writes),
  ].filter((name) => !name.startsWith('$'));
  return new Map(own.map((name) => [name, `${prefix}_${name}`]));
}

function renamed(text: string, rename: ReadonlyMap<string, string>): string {
  if (rename.size === 0) return text;
  return text
    .replace(/(?<![\w$."'])[A-Za-z_]\w*(?!\s*=[^=]|\w*\()/g, (word) => rename.get(word) ?? word)
    .replace(/^([A-Za-z_]\w*)(?=\s*(?::\s*\w+\s*)?=[^=])/, (word) => rename.get(word) ?? word);
}
