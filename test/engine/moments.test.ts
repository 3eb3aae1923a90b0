/** Going to and fro in the past of a run: a moment is the same whichever way one comes to it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadProgram } from '../../src/engine/load.ts';
import { readPast } from '../../src/engine/past/read-past.ts';
import { Moments } from '../../src/engine/views/moments.ts';
import { stateView } from '../../src/engine/views/state-view.ts';
import { sampledRuns } from '../support/depth.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import { compile, tools } from '../support/starlark-machine.ts';
import { byName, loading, quickTool, start } from './support.ts';

const handlers = byName(
  ...[...tools.values()].map(({ name, effect, parameters }) =>
    quickTool(name, ({ x }) => `<${String(x)}>`, { effect, parameters }),
  ),
);

interface Past {
  readonly moments: Moments;
  /** What a person sees where it stands. */
  seen(): unknown;
}

async function pastOf(source: string): Promise<Past> {
  const program = compile(source);
  const run = start({ program, handlers });
  await run.result;
  const past = readPast(run.journal.events(run.id));
  const loaded = loadProgram(run.id, past, loading(program));
  const moments = new Moments({ past, loaded, status: 'done' });
  const seen = (): unknown => {
    const { walk, moment, position, lines } = moments;
    const { machine, emitted } = walk;
    const inspection = machine.inspect();
    const state = { run: run.id, moment, inspection, emitted, position, walk, loaded };
    const { variables, answers, lines: all } = stateView({ ...state, past: () => past }, '');
    // How far fibers have come is a matter of how the machine was driven there.
    return { moment, position, lines, emitted, variables, answers, frames: all[0]?.frames };
  };
  return { moments, seen };
}

test('a moment is the same after any way there', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, fc.array(fc.nat(60), { maxLength: 8 }), async (drawn, ways) => {
      const { moments, seen } = await pastOf(sourceOf(drawn));
      const forward = [seen()];
      while (!moments.isAtEnd) {
        moments.forward();
        forward.push(seen());
      }
      for (const way of ways) {
        const position = way % forward.length;
        moments.goTo(position);
        expect(seen()).toEqual(forward[position]);
      }
    }),
    sampledRuns(60),
  );
});

const looping = `def twice(n):
    m = read(x = n)
    return m + "!" if m else ""
all = []
for i in range(40):
    all.append(twice(i))
total = len(all)
`;

test('lines go forward and back the same way', async () => {
  const { moments, seen } = await pastOf(looping);
  moments.goTo(6);
  const forward = [seen()];
  for (let i = 0; i < 30; i++) {
    moments.nextLine();
    forward.push(seen());
  }
  for (const expected of forward.slice(0, -1).toReversed()) {
    moments.previousLine();
    expect(seen()).toEqual(expected);
  }
});

test('marks are thinned out, and still lead everywhere', async () => {
  const { moments } = await pastOf(looping.replace('40', '1500'));
  moments.goTo(Number.MAX_SAFE_INTEGER);
  const end = moments.position;
  expect(end).toBeGreaterThan(1500);
  for (const position of [end - 1, 3, 700, 1, end]) {
    moments.goTo(position);
    expect(moments.position).toBe(position);
  }
  expect(moments.find((moment) => moment.kind === 'step' && moment.step.id === '7')).toBe(end - 1);
  expect(moments.findBefore(({ kind }) => kind === 'outcome')).toBe(end - 2);
});
