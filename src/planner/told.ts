/** Which tools of a run planners are told of: each costs tokens in every request. */
import type { Environment } from '../dialects/dialect.ts';
import type { AnyDialect } from '../dialects/index.ts';
import type { ToolSpec, Untold } from '../program/effect.ts';
import { toolNamesIn } from '../program/tool-names.ts';
import { isTaskLoop } from './tasks/task-loops.ts';

/** Who reads: planners of tasks, of programs in Starlark, of plans in any other notation. */
type Planners = 'tasks' | 'starlark' | 'plans';

type Tools = ReadonlyMap<string, ToolSpec>;

/**
 * All that planners of that kind are told of, and what `text`, such as a goal, names besides. Plans
 * may call the others all the same.
 */
export function toldTools(tools: Tools, planners: Planners, text = ''): Tools {
  const isUntold = (untold: Untold | undefined): boolean => untold === 'all' || untold === planners;
  const named = namedTools(tools, text);
  return new Map([...tools].filter(([name, { untold }]) => !isUntold(untold) || named.has(name)));
}

/** The names of the tools whose names stand somewhere in a text. */
export function namedTools(tools: Tools, text: string): ReadonlySet<string> {
  const words = new Set(text.match(/[\p{L}_][\p{L}\p{N}_.]*[\p{L}\p{N}_]/gu));
  const named = [...toolNamesIn(tools)].filter(([name]) => words.has(name));
  return new Set(named.map(([, spec]) => spec.name));
}

/**
 * The names of the tools that a program calls, in whatever notation: a name alone may be that of a
 * variable, or of a parameter, so it counts with a bracket behind it or in quotes.
 */
export function calledTools(tools: Tools, program: string): ReadonlySet<string> {
  const called = [...program.matchAll(callShape)].map(([, call, quoted, dotted]) =>
    [call, quoted, dotted].find((one) => one !== undefined),
  );
  return namedTools(tools, called.join('\n'));
}

const name = String.raw`[\p{L}_][\p{L}\p{N}_.]*`;
const callShape = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.])(?:(${name})(?=[([])|(?<!\[)["'](${name})["'](?!\s*:)|` +
    String.raw`([\p{L}_][\p{L}\p{N}_]*\.[\p{L}\p{N}_.]+))`,
  'gu',
);

/** The description of a dialect for its planners. */
export const described = (dialect: AnyDialect, { tools, ...environment }: Environment): string =>
  dialect.describe({ ...environment, tools: toldTools(tools, plannersOf(dialect.name)) });

export const plannersOf = (dialect: string): Planners => {
  if (isTaskLoop(dialect)) return 'tasks';
  return dialect === 'starlark' ? 'starlark' : 'plans';
};
