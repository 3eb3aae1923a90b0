/**
 * Runs control loops within effects (`engine/inner-run.ts`). What it owns: the way from the name of
 * a loop to its program; a run that goes on has the text that it began with.
 */
import { EffectFailure, type Handler, type RunLoop } from '../engine/handler.ts';
import type { ToolSpec } from '../program/effect.ts';
import { fromJson } from '../program/json.ts';
import type { Program } from '../program/program.ts';
import { type LoopName, loopNames, loopSource } from './loop-source.ts';
import { readLoop } from './read-loop.ts';

export interface LoopWorld {
  /** The text of a loop, where it is not the one that planvm has. */
  readonly source?: (name: LoopName) => string;
  /** Effects as tools are: without secrets in what they give back, and observed. */
  readonly ready: (
    handlers: ReadonlyMap<string, Handler>,
  ) => ReadonlyMap<string, Handler> | Promise<ReadonlyMap<string, Handler>>;
}

/** The outcome fails with PV7010 for a loop that there is not, or that is no valid program. */
export function loopRunner({ source = loopSource, ready }: LoopWorld): RunLoop {
  return async (context, { loop, title, inputs, handlers, limits }) => {
    const name = loopNames.find((one) => one === loop);
    if (name === undefined) throw invalid(`there is no control loop ${loop}`);
    const named = new Map(handlers.map((handler) => [handler.spec.name, handler]));
    return await context.inner({
      ...{ name, title, text: source(name), dialect: 'starlark', handlers: await ready(named) },
      compile: (text, _dialect, tools, given) => ({ program: compile(name, text, tools, given) }),
      inputs: new Map(Object.entries(inputs).map(([key, data]) => [key, fromJson(data)])),
      ...(limits && { limits }),
    });
  };
}

function compile(
  name: LoopName,
  text: string,
  tools: ReadonlyMap<string, ToolSpec>,
  inputs: readonly string[],
): Program {
  const file = `loops/${name}.star`;
  const { program, found } = readLoop({ text, file }, tools, inputs);
  if (program) return program;
  throw invalid(`${file} is no valid program:\n${found}`);
}

const invalid = (message: string): EffectFailure =>
  new EffectFailure('PV7010', message, {
    hint: 'correct it, or remove it to use the one that comes with planvm',
    answered: true,
    mayHaveActed: false,
  });
