/** One call of a tool by hand, at this terminal. */
import { AgentError, isCoded } from '../../agent/port/errors.ts';
import { callTool, timeoutOf } from '../../agent/tools/call-tool.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import { EffectFailure, type Usage } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import { dictEntries, isDict, type Value } from '../../program/value.ts';
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
export async function callHere(
  toolbox: Toolbox,
  name: string,
  given: GivenArguments,
): Promise<ExitCode> {
  const handler = toolbox.handlers.get(name);
  if (!handler)
    throw new AgentError('PV6013', `there is no tool ${name}`, { facts: { tool: name } });
  const style = styleOf(process.stderr);
  const warn = (text: string): void => say(`${style.warning('warning:')} ${oneLine(text)}`);
  const { json } = given;
  const stop = new AbortController();
  const { signal } = stop;
  const interrupt = (): void => stop.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt);
  const unwatch = watch({
    overdue: () => {
      const why = `${name} has computed for more than ${timeoutOf(handler)} ms without a pause`;
      const hint = 'raise limits.timeoutMs of the tool';
      reportFailure(new EffectFailure('PV4005', why, { hint }), { json: json === true });
      return exit.failed;
    },
    blocked: () => void process.off('SIGINT', interrupt),
    free: () => void process.once('SIGINT', interrupt),
  });
  try {
    const args = givenArguments(given);
    const data = await callTool({ handler, args, signal, use: sayUsage, warn });
    const text = typeof data === 'string' && !json ? data : stringify(data, 2);
    print(process.stdout.isTTY ? withoutControls(text) : text);
    return exit.done;
  } catch (error) {
    if (signal.aborted) return exit.interrupted;
    if (isCoded(error) && error.code === 'PV6002') throw error;
    reportFailure(error, { json: json === true });
    return exit.failed;
  } finally {
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

function sayUsage({ modelCalls, inputTokens, outputTokens }: Usage): void {
  if (modelCalls > 0) say(`${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`);
}
