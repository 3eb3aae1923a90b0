/**
 * Puts what a model says of open lines in their places, as far as it holds: by itself, and as a
 * part of what it then is, a file like one that somebody has written.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { ToolSpec } from '../../../program/effect.ts';
import { type CodeName, codeByName } from '../codes.ts';
import type { CompiledFile } from '../compiled/compiled.ts';
import type { Draft } from '../steps/draft.ts';
import {
  type Answers,
  openLines,
  readAnswers,
  type SettleProblem,
  withSteps,
} from '../steps/open/settle.ts';
import { checkCompiled } from './check.ts';

export interface Settled {
  readonly file: CompiledFile;
  readonly problems: readonly SettleProblem[];
}

/** A line whose answer does not hold stays as it was. */
export function settle(
  file: CompiledFile,
  answers: Answers,
  tools: readonly ToolSpec[] = [],
): Settled {
  const environment = { tools: new Map(tools.map((tool) => [tool.name, tool])), inputs: [] };
  const foundIn = (one: CompiledFile) =>
    checkCompiled(one, environment, { most: Infinity }).filter(isMinded);
  const { steps, problems } = readAnswers(file, answers, tools);
  const all = withSteps(file, steps, tools);
  const before = foundIn(file);
  if (more(foundIn(all), before).length === 0) return { file: all, problems };
  // One after the other: those that stand already are what the next one has to go with.
  const refused: SettleProblem[] = [];
  const standing = new Map<string, readonly Draft[]>();
  let whole = { file, found: before };
  for (const { at } of openLines(file)) {
    const own = steps.get(at);
    if (!own) continue;
    const next = withSteps(file, new Map([...standing, [at, own]]), tools);
    const found = foundIn(next);
    const wrong = more(found, whole.found);
    for (const one of wrong) refused.push({ at, message: told(one) });
    if (wrong.length > 0) continue;
    standing.set(at, own);
    whole = { file: next, found };
  }
  return { file: whole.file, problems: [...problems, ...refused] };
}

/**
 * What is minded besides errors: what is wrong whatever else the file says. Variables are not among
 * it: what is done in words may set them.
 */
const minded: ReadonlySet<string> = new Set(
  (
    [
      ...(['unreachable', 'noEnd', 'emptyBlock', 'unknownCall', 'unknownNote'] as const),
      ...(['extraArgument', 'missingArgument', 'unknownTarget'] as const),
    ] satisfies CodeName[]
  ).map((name) => codeByName[name]),
);

const isMinded = ({ code, severity }: Diagnostic): boolean =>
  severity === 'error' || minded.has(code);

/** What is found now and was not before, wherever steps have moved to. */
function more(now: readonly Diagnostic[], before: readonly Diagnostic[]): Diagnostic[] {
  const known = before.map(kindOf);
  return now.filter((one) => {
    const at = known.indexOf(kindOf(one));
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

const kindOf = ({ code, column, file = '', line }: Diagnostic): string =>
  [code, line, column, file].join(' ');

/** Numbers of steps are left out: they are others where an answer does not stand. */
function told({ hint, message }: Diagnostic): string {
  const text = message.replace(/^got [\d.]+:(?=[A-Z]{3}\b)/, 'got ');
  return hint === undefined ? text : `${text}: ${hint}`;
}
