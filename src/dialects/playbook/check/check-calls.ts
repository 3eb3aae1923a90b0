/** Whether what steps call is there, may be called from where they are, and gets what it needs. */
import { allOf } from '../../../program/counted.ts';
import { nearest } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import type { CompiledPlaybook, Step, StepCall } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { type Details, error, type Report, warn } from '../report.ts';
import {
  type Callee,
  type Names,
  ownCallees,
  spokenForm,
  titleForm,
} from '../steps/names/names.ts';
import { argumentsIn, callIn, holderIn, innerCalls, type WrittenCall } from '../text/calls.ts';
import { isLibrary } from '../text/computing.ts';
import { callWord, getForm } from '../text/words.ts';
import { asWritten } from './as-written.ts';

export function checkCalls(
  { name, notes, parameters, steps, triggers }: CompiledPlaybook,
  names: Names,
  environment: Environment,
  report: Report,
): void {
  const all = flatSteps(steps);
  const locals = new Set([
    ...parameters.map((one) => one.name),
    ...all.flatMap((one) => one.writes),
  ]);
  const tell = ({ callee, isSure }: UnknownCall, place: Step['place'], step: string): void => {
    const say = isSure && environment.open !== true ? error : warn;
    say(report, 'unknownCall', place, ...noSuch(callee, names.callees.keys(), step));
  };
  for (const { id, place, text } of triggers) {
    for (const one of unknownIn(text, false, names)) tell(one, place, `${name}:${id}`);
    checkWithin(text, names, place, `${name}:${id}`, report);
  }
  // What a note speaks of, a model reads, whatever stands in it.
  for (const { id, place, text } of notes) {
    const unknown = unknownIn(text, false, names);
    for (const { callee } of unknown) tell({ callee, isSure: false }, place, `${name}:${id}`);
    checkWithin(text, names, place, `${name}:${id}`, report);
  }
  for (const step of all) {
    const { say } = step;
    const args = step.call && asWritten(step.call.args, step, all);
    const call = step.call && args !== undefined ? { ...step.call, args } : undefined;
    const at = `${name}:${step.number}`;
    const meant = say && !say.isLiteral ? titleIn(say.text, name, names) : undefined;
    if (meant) {
      const message = `got ${say?.text}, which is said, while there is a playbook ${meant.name}`;
      const hint = `${meant.name}(${(meant.parameters ?? []).join(', ')}) calls it`;
      warn(report, 'nearTitle', step.place, message, { hint, step: at });
    }
    for (const one of unknownWithin(step, names)) tell(one, step.place, at);
    if (!unread.has(step.code)) checkWithin(partOf(step), names, step.place, at, report);
    if (!call || ownCallees.has(call.callee)) continue;
    const isNamed = names.callees.has(call.callee);
    if (isNamed || holderIn(call.callee, locals) === undefined) {
      checkCall(step, call, at, names, environment, report);
    } else {
      checkHeld(step, call, at, names, environment, report);
    }
  }
}

/** The playbook whose title a line begins with, or is but for its articles. */
function titleIn(text: string, own: string, { spoken, titles }: Names): Callee | undefined {
  const line = `${titleForm(text)} `;
  const found =
    spoken.get(spokenForm(text)) ??
    [...titles].find(([title]) => title.includes(' ') && line.startsWith(`${title} `))?.[1];
  return found?.kind === 'playbook' && found.name !== own ? found : undefined;
}

/** Which agent a variable has is known when the program runs; what agents offer, before. */
function checkHeld(
  { place }: Step,
  call: StepCall,
  step: string,
  { callees, remote }: Names,
  { open = false }: Environment,
  report: Report,
): void {
  const title = call.callee.slice(call.callee.lastIndexOf('.') + 1);
  const offered = [...callees].filter(([name, { isPrivate }]) => name.includes('.') && !isPrivate);
  const same = offered.filter(([name]) => name.endsWith(`.${title}`));
  const [only, ...others] = same.map(([, callee]) => callee);
  if (only && others.length === 0) checkArguments(call, only, place, step, report);
  if (only || remote.size > 0) return;
  const titles = offered.map(([name]) => name.slice(name.indexOf('.') + 1));
  const near = nearest(title, titles);
  const isPrivate = [...callees.values()].some((one) => one.name.endsWith(`.${title}`));
  const hint =
    isPrivate || near === undefined
      ? 'write public: true under its heading'
      : `did you mean ${near}?`;
  const message = `no agent offers a playbook ${title}, which ${call.callee} calls`;
  const say = open ? warn : error;
  say(report, isPrivate ? 'notPublic' : 'unknownCall', place, message, {
    ...{ hint, step, about: call.callee },
  });
}

interface UnknownCall {
  readonly callee: string;
  /** Whether nobody may read it as words. */
  readonly isSure: boolean;
}

/**
 * What a text calls that there is not, wherever it stands there; in words only what is written as
 * code is, `isOpen($day)`, other than `guest(s)`.
 */
function unknownIn(text: string, isCode: boolean, names: Names): UnknownCall[] {
  const all = innerCalls(text, (callee) => !isKnown(callee, names) && !isLibrary(callee));
  return [...all].flatMap(({ call, from }) => {
    const isSure = isCode || isPlaceheld(text, from);
    return isSure || isWritten(call) ? [{ callee: call.callee, isSure }] : [];
  });
}

/** Whether a call looks like one among words: `Worth($n)`, `total()`, but not `guest(s)`. */
export const isWritten = ({ args, callee }: WrittenCall): boolean =>
  args === '' || /["'$]|^-?\d/.test(args) || /_|\p{Ll}\p{Lu}/u.test(callee);

/** What an agent offers is looked at where a step is that call. */
const isKnown = (callee: string, { callees }: Names): boolean =>
  callees.has(callee) || ownCallees.has(callee) || callee.includes('.');

/** Whether it stands between braces in quotes, where it is filled in. */
const isPlaceheld = (text: string, at: number): boolean =>
  /["'][^"']*\{[^{};]*$/.test(text.slice(0, at)) && /^[^{};]*\}/.test(text.slice(at));

function unknownWithin(step: Step, names: Names): UnknownCall[] {
  const { call, code, isAmbiguous, say, text } = step;
  if (unread.has(code)) return [];
  const found = unknownIn(partOf(step), say === undefined && call !== undefined, names);
  const source = isAmbiguous ? getForm.exec(text)?.[2]?.replace(/\.$/, '') : undefined;
  const got = callIn(source ?? '')?.callee ?? codeName.exec(source ?? '')?.[0];
  if (got !== undefined && !isKnown(got, names)) found.push({ callee: got, isSure: false });
  const spoken = isAmbiguous ? calledWith.exec(text.replace(callWord, ''))?.[1] : undefined;
  const isNew = spoken !== undefined && callWord.test(text) && !isKnown(spoken, names);
  if (isNew && !names.agents.has(spoken)) found.push({ callee: spoken, isSure: false });
  return [...new Map(found.map((one) => [one.callee, one])).values()];
}

/** What of a step may call something else: the call itself is looked at as a whole. */
function partOf({ call, say, text }: Step): string {
  const part = call && !ownCallees.has(call.callee) ? call.args : (say?.text ?? text);
  return say?.isLiteral ? JSON.stringify(part) : part;
}

/** Whether calls that no step makes, in words or between braces, have what they need. */
export function checkWithin(
  text: string,
  { callees }: Names,
  place: Step['place'],
  step: string,
  report: Report,
): void {
  const kindOf = (callee: string): Callee['kind'] | undefined => callees.get(callee)?.kind;
  const isOwn = (callee: string): boolean => (kindOf(callee) ?? 'tool') !== 'tool';
  for (const { call, from } of innerCalls(text, isOwn)) {
    const callee = callees.get(call.callee);
    // In words, what has nothing between its brackets may be its name alone.
    const isMeant = isPlaceheld(text, from) || (call.args !== '' && isWritten(call));
    if (callee && isMeant) checkArguments(call, callee, place, step, report);
  }
}

/** Steps whose text calls nothing. */
const unread: ReadonlySet<Step['code']> = new Set(['CHK', 'JMP', 'TNK', 'YLD']);

/** `Call Book with $bike`: a name and a value. Somebody may be called with the news. */
const calledWith = /^(\p{Lu}\p{XIDC}*)\s+(?:with|avec)\s+["'$\d[{]/u;

/** A word as code has them, `PriceList`, `price_list`; another one may be a name: `Wikipedia`. */
const codeName = /^(?=\p{XIDC}*(?:_|\p{Ll}\p{Lu}))\p{L}\p{XIDC}*$/u;

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
    const isRemote = call.callee.includes('.') && names.remote.has(agent);
    const offered = isRemote ? offeredBy(agent, names) : undefined;
    // What a server offers is known when it has said so once.
    if (isRemote && offered?.length === 0) return;
    const want = offered ? `${agent} offers ${offered.slice(0, 12).join(', ')}` : undefined;
    const known = offered ?? names.callees.keys();
    const say = open ? warn : error;
    say(report, 'unknownCall', place, ...noSuch(call.callee, known, step, want));
    return;
  }
  if (callee.isPrivate) {
    const message = `${call.callee} is not public, and belongs to another agent`;
    const hint = 'write public: true under its heading';
    error(report, 'notPublic', place, message, { hint, step, about: call.callee });
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

/** What is said of a call of what there is not among those that are known. */
export function noSuch(
  callee: string,
  known: Iterable<string>,
  step: string,
  want = 'want the name of a playbook, of a function or of a tool',
): [string, Details] {
  const near = nearest(callee, known);
  const hint = near === undefined ? want : `did you mean ${near}?`;
  const details = { hint, step, unknown: callee, about: callee };
  return [`there is no playbook, function or tool ${callee}`, details];
}

function checkArguments(
  call: Pick<StepCall, 'args' | 'callee'>,
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
      const hint = `its ${allOf('parameter', parameters)}`;
      const message = `got the argument ${name ?? text} for ${callee}, which has no such parameter`;
      warn(report, 'extraArgument', place, message, { hint, step, about: name ?? text });
    }
  }
  for (const name of mandatory.map((one) => one.replace('$', ''))) {
    if (!left.has(name)) continue;
    const message = `got no ${name} for ${callee}, which needs it`;
    warn(report, 'missingArgument', place, message, { step, about: call.callee });
  }
}
