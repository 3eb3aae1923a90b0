/** Asking for fibers: fixes what they are given. When they start is seen to in fibers.ts. */
import type { Pending, Value } from '../program/value.ts';
import { type FiberCall, type FibersWork, type IssueSite, pathOf, type State } from './state.ts';
import { isOpenStream } from './stream.ts';
import { faults } from './values/code-names.ts';
import { Fault } from './values/fault.ts';
import {
  copyClosures,
  freezeAll,
  missingFor,
  type Reach,
  reachOf,
  valuesOf,
} from './window/hand-over.ts';
import { needSettled } from './window/outer.ts';
import { enterFibers, needRoom } from './window/window.ts';

/** Units that a fiber costs to make and to end. */
const fiberCost = 2_000;

/** Asks for one fiber per call and gives their pending result. Waits while the window is full. */
export function spawn(
  state: State,
  mode: FibersWork['mode'],
  callee: Value,
  calls: readonly FiberCall[],
  site: IssueSite,
): Pending {
  needRoom(state, 'call');
  if (site.trace.length / 2 >= state.limits.callDepth) {
    throw new Fault(
      faults.callDepth,
      `calls nest deeper than ${state.limits.callDepth} frames`,
      'look for a function that runs itself in parallel without end, or raise the limit callDepth',
    );
  }
  const reach = reachOf(state, [callee, ...calls.flatMap(valuesOf)]);
  for (const value of reach.seen) if (isOpenStream(value)) throw streamInFiber();
  if (mode === 'parallel') for (const value of reach.seen) willFreeze(state, value as Value);
  const result: Pending = { kind: 'pending', entry: state.next, value: undefined };
  const given =
    mode === 'parallel'
      ? handOver(state, reach, callee, calls)
      : { callee, calls: [...calls], globals: [] };
  const work: FibersWork = {
    kind: 'fibers',
    mode,
    ...given,
    path: pathOf(state),
    first: state.spawned + 1,
    missing: missingFor(state, { mode, ...given }),
    next: 0,
    alive: new Map(),
    idle: 0,
    results: [],
    emits: new Map(),
    failure: undefined,
    result,
  };
  enterFibers(state, work, reach.pendings, site);
  state.spawned += calls.length;
  state.around.charge?.(fiberCost * calls.length + reach.seen.size);
  return result;
}

const streamInFiber = (): Fault =>
  new Fault(
    faults.operandTypes,
    'a stream is read where it was opened, got one in what another function is to run with',
    'hand over its parts, or open the stream inside of the function',
  );

/** To be frozen is a change: where it outlives an attempt, it comes when a change may come. */
function willFreeze(state: State, value: Value): void {
  const isOpen = typeof value === 'object' && value !== null && 'frozen' in value && !value.frozen;
  if (isOpen) needSettled(state, value, []);
}

/** Calls that nothing can change any more, and the variables that they can see. */
function handOver(
  state: State,
  reach: Reach,
  callee: Value,
  calls: readonly FiberCall[],
): Pick<FibersWork, 'callee' | 'calls' | 'globals'> {
  freezeAll(reach);
  const copies = new Map<object, Value>();
  const copy = (value: Value): Value => copyClosures(value, copies);
  return {
    callee: copy(callee),
    calls: calls.map(({ positional, named }) => ({
      positional: positional.map(copy),
      named: named.map(([name, value]) => [name, copy(value)] as const),
    })),
    globals: [...reach.globals].flatMap((slot) => {
      const value = state.globals[slot];
      return value === undefined ? [] : [[slot, copy(value)] as const];
    }),
  };
}
