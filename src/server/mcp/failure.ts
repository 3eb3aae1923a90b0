/** What a client is told of a failed call: code, message, and what helps, in terms of tools. */
import { describeError, isCoded, messageOf, RunStopped } from '../../agent/port/errors.ts';

export interface CallFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export function failureOf(thrown: unknown): CallFailure {
  if (thrown instanceof RunStopped) {
    const { code, message, hint } = failureOf(thrown.cause);
    const next = code === 'PV5002' ? undefined : `resume goes on with the run ${thrown.run}`;
    return { code, message, hint: joined(hint, next) };
  }
  const { code, message, hint } = describeError(thrown);
  if (!isCoded(thrown)) return { code, message, hint: null };
  return { code, message: messageOf(thrown), hint: joined(hint, advice.get(code)) };
}

const joined = (...hints: readonly (string | null | undefined)[]): string | null =>
  hints.filter((hint) => hint != null && hint !== '').join('; ') || null;

const seeRun = 'show says how it is with the run';

const advice: ReadonlyMap<string, string> = new Map([
  ['PV5105', 'runs lists those there are'],
  ['PV5106', seeRun],
  ['PV5110', seeRun],
  ['PV5142', seeRun],
  ['PV5143', 'name the effect that is meant'],
  ['PV5145', seeRun],
  ['PV6012', 'runs lists those there are'],
]);
