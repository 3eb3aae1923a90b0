/** Whether what steps call is there, may be called from where they are, and gets what it needs. */
import { nearest } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import type { CompiledPlaybook, Step, StepCall } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { error, type Report, warn } from '../report.ts';
import { type Callee, type Names, ownCallees } from '../steps/names.ts';
import { argumentsIn } from '../text/calls.ts';

export function checkCalls(
  { name, steps }: CompiledPlaybook,
  names: Names,
  environment: Environment,
  report: Report,
): void {
  for (const step of flatSteps(steps)) {
    if (step.call && !ownCallees.has(step.call.callee)) {
      checkCall(step, step.call, `${name}:${step.number}`, names, environment, report);
    }
  }
}

function checkCall(
  { place }: Step,
  call: StepCall,
  step: string,
  names: Names,
  { open = false }: Environment,
  report: Report,
): void {
  const callee = names.callees.get(call.callee);
  if (!callee) {
    const [agent = ''] = call.callee.split('.');
    // Which agent a variable names is known when the program runs.
    if (call.callee.startsWith('$')) return;
    const isRemote = call.callee.includes('.') && names.remote.has(agent);
    const offered = isRemote ? offeredBy(agent, names) : undefined;
    // What a server offers is known when it has said so once.
    if (isRemote && offered?.length === 0) return;
    const near = nearest(call.callee, offered ?? names.callees.keys());
    const hint = near === undefined ? wanted(agent, offered) : `did you mean ${near}?`;
    const say = open ? warn : error;
    const message = `there is no playbook, function or tool ${call.callee}`;
    say(report, 'unknownCall', place, message, { hint, step });
    return;
  }
  if (callee.isPrivate) {
    const message = `${call.callee} is not public, and belongs to another agent`;
    const hint = 'write public: true under its heading';
    error(report, 'notPublic', place, message, { hint, step });
  }
  const isRemote = names.remote.has(callee.name.split('.')[0] ?? '');
  const isKnown = callee.kind !== 'tool' || (isRemote && callee.parameters !== undefined);
  if (isKnown) checkArguments(call, callee, place, step, report);
}

/** The tools of a server, as steps call them; none where nobody knows them. */
export const offeredBy = (agent: string, { callees }: Names): string[] =>
  [...callees.values()].flatMap(({ kind, name }) =>
    kind === 'tool' && name.startsWith(`${agent}.`) ? [name] : [],
  );

const wanted = (agent: string, offered: readonly string[] | undefined): string =>
  offered
    ? `${agent} offers ${offered.slice(0, 12).join(', ')}`
    : 'want the name of a playbook, of a function or of a tool';

function checkArguments(
  call: StepCall,
  { name: callee, mandatory = [], parameters = [], takesMore = false }: Callee,
  place: Step['place'],
  step: string,
  report: Report,
): void {
  const given = argumentsIn(call.args);
  if (given.some(({ text }) => text.startsWith('*') || text === '...' || text === '…')) return;
  const plain = parameters.map((name) => name.replace('$', ''));
  const left = new Set(plain);
  for (const { name, text } of given) {
    const wanted = name?.replace('$', '') ?? [...left][0];
    if ((wanted === undefined || !left.delete(wanted)) && !takesMore) {
      const hint = `its parameters are ${parameters.join(', ') || 'none'}`;
      const message = `got the argument ${name ?? text} for ${callee}, which has no such parameter`;
      warn(report, 'extraArgument', place, message, { hint, step });
    }
  }
  for (const name of mandatory.map((one) => one.replace('$', ''))) {
    if (!left.has(name)) continue;
    warn(report, 'missingArgument', place, `got no ${name} for ${callee}, which needs it`, {
      step,
    });
  }
}
