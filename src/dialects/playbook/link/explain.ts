/**
 * What a compiler has made of playbooks, and why, for who wants to know where replies of a model
 * go: what stands in the place of its call, who need not come back, where lines wait. Pure.
 */
import type { LinkedAgent, LinkedFile, LinkedLine, LinkedPlaybook } from '../compiled/linked.ts';
import { isPlaybook } from './callees.ts';

/** A line for each: what it is, where, and why. */
export interface Explained {
  readonly what:
    | 'inlined'
    | 'not inlined'
    | 'tail call'
    | 'waits'
    | 'beside others'
    | 'open'
    | 'code';
  /** `Agent.Playbook:03`, or the playbook alone. */
  readonly at: string;
  readonly text: string;
}

export function explained({ agents, inlining }: LinkedFile): Explained[] {
  const playbooks = agents.flatMap((agent) => agent.playbooks).filter(isShown);
  return [
    ...inlining.map(({ at, callee, isInlined, why }): Explained => {
      return { what: isInlined ? 'inlined' : 'not inlined', at, text: `${callee}: ${why}` };
    }),
    ...agents.flatMap((agent) =>
      agent.playbooks.filter(isShown).flatMap((one) => ofLines(tailOf(one, agent))(one)),
    ),
    ...playbooks.flatMap(ofLines(waitOf)),
    ...playbooks.flatMap(({ id, isQuiet }): Explained[] =>
      isQuiet ? [{ what: 'beside others', at: id, text: unnoticed }] : [],
    ),
    ...agents.flatMap(({ name, quiet }) =>
      [...quiet].map((one): Explained => {
        return { what: 'beside others', at: `${name}.${one}`, text: unnoticed };
      }),
    ),
    ...playbooks.flatMap(ofLines(openOf)),
    ...agents.flatMap((agent) => agent.playbooks).flatMap(codeOf),
  ];
}

const unnoticed = 'nobody notices when it runs';

const isShown = ({ isHidden, lines }: LinkedPlaybook): boolean => !isHidden && lines.size > 0;

type About = (line: LinkedLine) => Pick<Explained, 'what' | 'text'> | undefined;

const ofLines =
  (about: About) =>
  ({ id, lines }: LinkedPlaybook): Explained[] =>
    [...lines].flatMap(([number, line]) => {
      const found = about(line);
      return found ? [{ ...found, at: `${id}:${number}` }] : [];
    });

const tailOf =
  ({ lines }: LinkedPlaybook, agent: LinkedAgent): About =>
  (line) => {
    const { call } = line.step;
    const isOne = call && (line.tail || (isPlaybook(agent, call.callee) && isLast(line, lines)));
    return isOne
      ? { what: 'tail call', text: `${call.callee} is the last it does: it need not come back` }
      : undefined;
  };

/** Whether nothing comes behind a call but to wait for it. */
function isLast({ edges }: LinkedLine, lines: LinkedPlaybook['lines']): boolean {
  return edges.every(({ to }) => {
    const next = lines.get(to);
    return !next || (next.step.waits === 'call' && isLast(next, lines));
  });
}

const waitOf: About = ({ step }) =>
  step.waits === undefined ? undefined : { what: 'waits', text: `for ${step.waits}` };

const openOf: About = ({ step }) =>
  step.isAmbiguous ? { what: 'open', text: step.text } : undefined;

const codeOf = ({ id, mode }: LinkedPlaybook): Explained[] =>
  mode === 'code'
    ? [{ what: 'code', at: id, text: 'a function: no model is asked to play it' }]
    : [];
