/**
 * The state of a run of playbooks as one sees it who wrote them: their frames and variables, in
 * place of those of the loop that plays them. Variables of an agent are global, as `$day`; those of
 * a call stand in its frame. Where these are, the program has declared.
 */
import type { StateAt } from '../../engine/past/time.ts';
import type { FrameView, Inspection, LineView } from '../../machine/inspection.ts';
import { nameBy, type Program } from '../../program/program.ts';
import { type TextVariables, writeName } from '../../program/text-variables.ts';
import {
  type Dict,
  dictEntries,
  dictGet,
  isDict,
  settled,
  type Value,
} from '../../program/value.ts';

export const stateSeen = (state: StateAt): StateAt => ({
  ...state,
  inspection: inspectionSeen(state.inspection, state.loaded.program),
});

/** Of another program, the state as it is. */
export function inspectionSeen(inspection: Inspection, program: Program): Inspection {
  const { variables } = program;
  if (!variables) return inspection;
  const waited = new Set<string>();
  const whole = inspection.lines.map((line) => withAwaited(line, inspection.lines, waited));
  const lines = whole
    .filter(({ path }) => !waited.has(path))
    .map((line) => ({ ...line, frames: framesOf(line, program, variables) }));
  const call = whole[0] && callsIn(whole[0], variables).at(-1);
  return { ...inspection, globals: statesOf(inspection, call, variables), lines };
}

/** A line with the frames of the call that it waits for, as one stack; `waited` takes its path. */
function withAwaited(line: LineView, lines: readonly LineView[], waited: Set<string>): LineView {
  const call = line.open.find(({ kind, name }) => kind === 'fibers' && name === 'attempt');
  const found = call && lines.find(({ path }) => path === call.id);
  if (!found) return line;
  waited.add(found.path);
  const inner = withAwaited(found, lines, waited);
  const { step, stepIndex, waits } = inner;
  return { ...line, frames: [...line.frames, ...inner.frames], step, stepIndex, waits };
}

function framesOf(line: LineView, program: Program, variables: TextVariables): FrameView[] {
  const calls = callsIn(line, variables);
  return calls.map((frame, order) => {
    const isInnermost = order === calls.length - 1;
    const at = isInnermost ? line.step : textIn(frame, variables.at);
    const label = at.replace(/@\d+$/, '');
    const step = program.steps.find((one) => one.label === label);
    const by = variables.by === undefined ? '' : textIn(frame, variables.by);
    const isNameless = step === undefined && at === '';
    const name = isNameless ? textIn(frame, variables.name) : label.replace(/:[\d.]+$/, '');
    return {
      name: nameBy(name, by),
      ...{ line: step?.line ?? 0, column: step?.column ?? 0 },
      ...(step?.file !== undefined && { file: step.file }),
      locals: variablesIn(frame, variables.own),
      operands: [],
    };
  });
}

/** Calls of playbooks, outermost first. */
const callsIn = ({ frames }: LineView, { call, about }: TextVariables): Dict[] =>
  frames.flatMap(({ name, locals }) => {
    const frame = locals.get(about);
    return name === call && isDict(frame) ? [frame] : [];
  });

/** The variables of agents; of others than the one that acts, with its name in front. */
function statesOf(
  { globals }: Inspection,
  call: Dict | undefined,
  { parts, part, sign }: TextVariables,
): Map<string, Value> {
  const states = globals.get(parts);
  if (!isDict(states)) return new Map();
  const all = [...dictEntries(states)];
  const acts = call ? textIn(call, part) : all[0]?.[0];
  return new Map(
    all.flatMap(([agent, variables]) => {
      const front = agent === acts ? undefined : String(agent);
      const held = settled(variables);
      if (!isDict(held)) return [];
      return [...dictEntries(held)].map(
        ([name, value]) => [writeName(front, String(name), sign), value] as const,
      );
    }),
  );
}

function variablesIn(frame: Dict, key: string): Map<string, Value> {
  const held = member(frame, key);
  return new Map(
    isDict(held)
      ? [...dictEntries(held)].map(([name, value]) => [String(name), value] as const)
      : [],
  );
}

function member(from: Dict, key: string): Value | undefined {
  const found = dictGet(from, key);
  return found === undefined ? undefined : settled(found);
}

function textIn(from: Dict, key: string): string {
  const found = member(from, key);
  return typeof found === 'string' ? found : '';
}
