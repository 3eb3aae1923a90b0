/** Which variables of its agent a call may set: by its arguments, what it does and sets off. */
import type { StepCall } from '../../compiled/compiled.ts';
import { type FunctionEffects, functionEffects } from '../../source/code.ts';
import type { Agent, Parameter, PlaybookHead } from '../../source/tree.ts';
import { argumentsIn } from '../../text/calls.ts';
import { stateNames, writtenName } from '../../text/variables.ts';
import { type Draft, flatDrafts } from '../draft.ts';
import { meaningOf } from '../step-text.ts';

export interface Body {
  readonly drafts: readonly Draft[];
  readonly locals: ReadonlySet<string>;
  readonly parameters: readonly Parameter[];
  /** Variables that its triggers are about. */
  readonly heeds: readonly string[];
  /** Whether there are no steps that would say it. */
  readonly isOpen: boolean;
  /** Whether other agents may call it. */
  readonly isPublic: boolean;
}

export const bodyOf = (
  { description, isPublic, mode, parameters }: PlaybookHead,
  triggers: readonly { readonly text: string }[],
  drafts: readonly Draft[],
  locals: ReadonlySet<string>,
): Body => ({
  ...{ drafts, isPublic, locals, parameters, isOpen: isOpenIn(mode, description) },
  heeds: triggers.flatMap(({ text }) => stateNames(text)),
});

/** What is completed alone sets nothing, unless its description is filled in by calls. */
const isOpenIn = (mode: PlaybookHead['mode'], description: string): boolean =>
  mode === 'raw' ? /\{[^{}]*\([^{}]*\}/.test(description) : mode !== 'steps';

/** `Agent.Playbook` of all agents of a file but one. */
export const playbooksOfOthers = (
  agents: readonly (Pick<Agent, 'name'> & {
    readonly playbooks: readonly Pick<PlaybookHead, 'name'>[];
  })[],
  { name: own }: Pick<Agent, 'name'>,
): ReadonlySet<string> =>
  new Set(
    agents.flatMap(({ name, playbooks }) =>
      name === own ? [] : playbooks.map((one) => `${name}.${one.name}`),
    ),
  );

/**
 * By the names of playbooks; `*` is among what is set where words may mean anything. Playbooks of
 * others may call back what is public.
 */
export function effectsOf(
  bodies: ReadonlyMap<string, Body>,
  { code, name: agent }: Pick<Agent, 'code' | 'name'>,
  others: ReadonlySet<string>,
): (call: StepCall) => ReadonlySet<string> {
  const functions = functionEffects(code);
  const known = new Map<string, ReadonlySet<string>>();
  const own = (callee: string): string =>
    callee.startsWith(`${agent}.`) ? callee.slice(agent.length + 1) : callee;

  const offered = [...bodies].flatMap(([name, { isPublic }]) => (isPublic ? [name] : []));
  const isOther = (callee: string): boolean => others.has(callee) || callee.startsWith('$');

  /** What a playbook or a function sets itself, and the calls in it. */
  const doneBy = (name: string): { sets: readonly string[]; calls: readonly StepCall[] } => {
    if (isOther(name)) {
      const parameters = offered.flatMap((one) => stateOf(bodies.get(one)));
      return { sets: parameters, calls: offered.map((callee) => ({ callee, args: '' })) };
    }
    const done = functions.get(name);
    if (done) {
      const known = [...bodies.keys(), ...others];
      const calls = known.filter((one) => done.words.has(one));
      const parameters = calls.flatMap((one) => stateOf(bodies.get(one)));
      return {
        sets: [...done.sets, ...parameters],
        calls: calls.map((callee) => ({ callee, args: '' })),
      };
    }
    const { drafts, isOpen = false, locals = new Set<string>() } = bodies.get(name) ?? {};
    const meanings = flatDrafts(drafts ?? []).map((one) => ({
      ...meaningOf(one, locals),
      isAmbiguous: one.isAmbiguous === true,
    }));
    // What a person has said may matter to whoever comes next.
    const isAny = isOpen || meanings.some(({ asks, isAmbiguous }) => asks || isAmbiguous);
    const writes = meanings.flatMap((one) => one.writes).filter((one) => one.startsWith('$'));
    const calls = meanings.flatMap(({ call }) => (call ? [call] : []));
    return { sets: isAny ? [...writes, '*'] : writes, calls };
  };
  const byArguments = ({ args, callee }: StepCall): readonly string[] => [
    ...setByArguments(args, bodies.get(own(callee))?.parameters ?? []),
    ...changedBy(args, functions.get(own(callee))),
  ];

  return (first) => {
    const key = `${first.into} ${first.callee} ${first.args}`;
    const found = known.get(key);
    if (found) return found;
    const effects = new Set<string>();
    // Each with all that it can reach, so that circles are no trouble.
    const seen = new Set<string>();
    const open = [own(first.callee)];
    const set = (name: string): void => {
      if (effects.has(name)) return;
      effects.add(name);
      for (const [playbook, { heeds }] of bodies) if (heeds.includes(name)) open.push(playbook);
    };
    for (const name of byArguments(first)) set(name);
    if (first.into?.startsWith('$')) set(first.into);
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      const { calls, sets } = doneBy(name);
      const given = calls.flatMap(byArguments).filter((one) => one.startsWith('$'));
      for (const variable of [...sets, ...given]) set(variable);
      open.push(...calls.map(({ callee }) => own(callee)));
    }
    known.set(key, effects);
    return effects;
  };
}

const stateOf = (body: Body | undefined): readonly string[] =>
  (body?.parameters ?? []).map(writtenName).filter((name) => name.startsWith('$'));

/** The variables of its agent that a call gives other values by its arguments. */
function setByArguments(args: string, parameters: readonly Parameter[]): readonly string[] {
  const given = argumentsIn(args);
  const isOpen = given.some(({ text }) => text.startsWith('*'));
  return parameters.flatMap((one, at) => {
    const byName = given.find(({ name }) => name?.replace('$', '') === one.name);
    const byPlace = given[at]?.name === undefined ? given[at]?.text : undefined;
    const text = byName?.text ?? byPlace ?? one.default;
    const name = writtenName(one);
    const isSet = isOpen || (text !== undefined && text !== name);
    return one.scope === 'state' && isSet ? [name] : [];
  });
}

/** The variables whose lists, or dicts, a function changes that it is given. */
function changedBy(args: string, called: FunctionEffects | undefined): readonly string[] {
  if (!called || called.changes.length === 0) return [];
  return argumentsIn(args).flatMap(({ name, text }, at) => {
    const parameter = name ?? called.parameters[at] ?? '';
    const [variable] = /^\$?[\p{XIDS}_]\p{XIDC}*/u.exec(text) ?? [];
    return variable !== undefined && called.changes.includes(parameter) ? [variable] : [];
  });
}
