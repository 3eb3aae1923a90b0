/** One call of a tool by hand: its arguments are checked, it has a time, nothing is kept. */
import { randomUUID } from 'node:crypto';
import { AgentError } from '../../agent/port/errors.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import { EffectFailure, type Usage } from '../../engine/handler.ts';
import { loneAttempt } from '../../engine/lone-attempt.ts';
import { argumentReader } from '../../engine/perform/arguments.ts';
import { thrownText } from '../../program/diagnostic.ts';
import { encode, fromJson, stringify, toJson } from '../../program/json.ts';
import { limitTable } from '../../program/limits.ts';
import { dict, dictEntries, isDict, type Value } from '../../program/value.ts';
import { readStrictJson } from '../../text/json-text.ts';
import { grouped, oneLine, withoutControls } from '../../text/words.ts';
import { type ExitCode, exit } from '../exit.ts';
import { reportFailure } from '../failure.ts';
import { watch } from '../process/watchdog.ts';
import { readInputs } from '../program/inputs.ts';
import { print, say, styleOf } from '../view/output.ts';

export interface GivenArguments {
  /** A JSON object. */
  readonly text: string | undefined;
  /** `name=value`; they replace members of the object. */
  readonly pairs: readonly string[] | undefined;
  readonly json: true | undefined;
}

/** Prints what the tool returns. Throws `AgentError` for arguments that do not fit. */
export async function callTool(
  toolbox: Toolbox,
  name: string,
  given: GivenArguments,
): Promise<ExitCode> {
  const handler = toolbox.handlers.get(name);
  if (!handler)
    throw new AgentError('PV6013', `there is no tool ${name}`, { facts: { tool: name } });
  const read = argumentReader(handler.spec.parameters);
  const { args, errors, warnings } = read(encode(dict(givenArguments(given))));
  const style = styleOf(process.stderr);
  const warn = (text: string): void => say(`${style.warning('warning:')} ${oneLine(text)}`);
  for (const warning of warnings) warn(`${name} ${warning}`);
  if (errors.length > 0) {
    throw new AgentError('PV6002', `arguments of ${name}: ${errors.join('; ')}`, {
      facts: { tool: name },
    });
  }
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt);
  const unwatch = watch({
    overdue: () => {
      const why = `${name} has computed for more than ${timeoutMs} ms without a pause`;
      const failure = new EffectFailure('PV4005', why, {
        hint: 'raise limits.timeoutMs of the tool',
      });
      reportFailure(failure, { json: given.json === true });
      return exit.failed;
    },
    blocked: () => void process.off('SIGINT', interrupt),
    free: () => void process.once('SIGINT', interrupt),
  });
  const timeoutMs = handler.spec.limits?.timeoutMs ?? limitTable.timeoutMs.default;
  const id = `call-${randomUUID()}`;
  try {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]);
    const attempt = loneAttempt({
      ...{ signal, timeoutMs, run: id, idempotencyKey: id },
      ...{ use: sayUsage, warn },
    });
    const result = await handler.perform(args, attempt);
    return printResult(name, result, given.json);
  } catch (error) {
    if (stop.signal.aborted) return exit.interrupted;
    reportFailure(asFailure(error, name), { json: given.json === true });
    return exit.failed;
  } finally {
    await handler.ended?.(id).catch(() => undefined);
    unwatch();
    process.off('SIGINT', interrupt);
  }
}

function givenArguments({ text, pairs }: GivenArguments): Map<string, Value> {
  const whole = text === undefined ? undefined : readStrictJson(text);
  if (text !== undefined && !isDict(whole)) {
    throw new AgentError('PV6002', `got ${text}, want the arguments as a JSON object`, {
      hint: 'write {"name": value}, or name=value for each',
    });
  }
  const entries = new Map<string, Value>();
  if (isDict(whole)) for (const [key, value] of dictEntries(whole)) entries.set(String(key), value);
  for (const [key, value] of readInputs(pairs ? { input: pairs } : {})) entries.set(key, value);
  return entries;
}

function printResult(name: string, result: unknown, json: true | undefined): ExitCode {
  if (result === undefined) {
    throw new EffectFailure('PV4002', `${name} returned undefined, want JSON data`, {
      hint: 'return null for nothing',
    });
  }
  const data = toJson(fromJson(result));
  const isText = typeof data === 'string' && !json;
  const text = isText ? data : stringify(data, 2);
  print(process.stdout.isTTY ? withoutControls(text) : text);
  return exit.done;
}

function sayUsage({ modelCalls, inputTokens, outputTokens }: Usage): void {
  if (modelCalls > 0) say(`${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`);
}

function asFailure(thrown: unknown, name: string): unknown {
  if (thrown instanceof EffectFailure || thrown instanceof AgentError) return thrown;
  return new EffectFailure('PV4006', `${name} threw ${thrownText(thrown)}`, { cause: thrown });
}
