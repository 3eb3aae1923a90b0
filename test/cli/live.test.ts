/** The live view: what it shows of a run's events, in any window, and what it leaves behind. */
import { spawnSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { observe, type Watch, watchOf } from '../../src/agent/view/watch.ts';
import { viewLines } from '../../src/cli/view/live.ts';
import { Screen } from '../../src/cli/view/screen.ts';
import { checkProgram } from '../../src/dialects/index.ts';
import type { WatchEvent } from '../../src/engine/events.ts';
import { toolSpec } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';
import { widthOf } from '../../src/text/words.ts';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { root } from '../support/repo.ts';

const look = toolSpec({ name: 'look', description: 'Looks.', effect: 'read' });
const start = 1_000_000;

function programOf(text: string, dialect: string): Program {
  const environment = { tools: new Map([[look.name, look]]), inputs: [] };
  const { program } = checkProgram(text, environment, { dialect });
  if (!program) throw new Error(`no program: ${text}`);
  return program;
}

function watching(count: number, past: readonly WatchEvent[] = []): Watch {
  const steps = Array.from({ length: count }, (_, n) => calling(n, 'look', {}, `v${n}`));
  const text = JSON.stringify([...steps, answering(count, ref('v0'))]);
  return watchOf(programOf(text, 'stackvm-2'), 'plan.json', start, { run: 'r1', past });
}

test('the steps of a loop that plays another text are not shown, at no time', () => {
  const program = programOf('x = 1\nanswer(x)', 'starlark');
  const steps = program.steps.map((step) => ({ ...step, file: 'x.playbook.md' }));
  const watch = watchOf({ ...program, steps }, 'x', start, { run: 'r1', past: [] });
  expect(watch).toMatchObject({ dialect: 'playbook', steps: [] });
});

let seq = 0;
const journaled = (at: number): { seq: number; at: number } => ({ seq: ++seq, at: start + at });

const entered = (index: number): WatchEvent => ({
  type: 'step.entered',
  index,
  step: String(index),
});

const started = (index: number, at: number, attempt = 1): WatchEvent => ({
  type: 'effect.started',
  ...journaled(at),
  effect: `0#${index}`,
  attempt,
  tool: 'look',
  step: String(index),
  hash: '',
  queuedAt: start + at,
});

const settled = (index: number, at: number, ok = true): WatchEvent => ({
  type: 'effect.settled',
  ...journaled(at),
  effect: `0#${index}`,
  tool: 'look',
  hash: '',
  outcome: ok ? { ok, value: '1' } : { ok, error: { code: 'PV4202', message: 'no' } },
  attempts: 1,
  startedAt: start,
  usage: { modelCalls: 1, inputTokens: 1000, outputTokens: 500, cost: 0.02 },
});

const progress = (index: number, text: string): WatchEvent => ({
  type: 'effect.progress',
  effect: `0#${index}`,
  text,
});

const wide = { columns: 100, rows: 40, now: start + 2500 };
const shown = (watch: Watch, window = wide): string[] =>
  viewLines(watch, window).map(({ text }) => text);

test('each step is a line with its state, what runs is beneath it, the last line counts', () => {
  const watch = watching(3);
  const events = [entered(0), entered(1), entered(2), entered(3), started(0, 0), started(1, 500)];
  for (const event of events) observe(watch, event);
  observe(watch, progress(1, 'some\ttext\n\u001b[31mred'));
  observe(watch, settled(0, 1500));
  expect(shown(watch)).toEqual([
    'plan.json · stackvm-2 · run r1',
    '✔ 0 calling  Call look.',
    '◐ 1 calling  Call look.',
    '    look 2.0s  some text �[31mred',
    '○ 2 calling  Call look.',
    // It only computes, with what has not arrived yet.
    '○ 3 assign  Answer.',
    '2.5s · 1 effect running, 1 done · at most 2 at once · 1 500 tokens · $0.02',
  ]);
});

test('failures, attempts and visits show', () => {
  const watch = watching(2);
  for (const event of [entered(0), started(0, 0), settled(0, 1, false)]) observe(watch, event);
  for (const event of [entered(1), entered(1), started(1, 1000, 2)]) observe(watch, event);
  expect(shown(watch).slice(1, 4)).toEqual([
    '✖ 0 calling  Call look.',
    '◐ 1 calling ×2  Call look.',
    '    look (attempt 2) 1.5s',
  ]);
});

test('of playbooks, whose steps are not listed, what is under way and what it waits for shows', () => {
  const watch = watching(1);
  const settings = JSON.stringify({ playbook: { text: '' } });
  const run = { id: 'r1', title: 'x', dialect: 'starlark', createdAt: start, inputs: '{}' };
  observe(watch, { type: 'run.started', ...journaled(0), run: { ...run, settings } });
  observe(watch, started(0, 500));
  expect(shown(watch)[1]).toBe('    0 look 2.0s');
  observe(watch, {
    ...{ type: 'effect.retries', effect: '0#0', tool: 'look', step: '0' },
    ...{ attempt: 1, message: 'too many', waitMs: 60_000 },
  });
  expect(shown(watch)[1]).toBe('    0 look 2.0s  attempt 1 failed: too many; again in 1m 00s');
  observe(watch, started(0, 500, 2));
  expect(shown(watch)[1]).toBe('    0 look (attempt 2) 2.0s');
});

test('a step with several effects is done with the last of them', () => {
  const watch = watching(1);
  const second = { ...started(0, 0), effect: '0#9' } as WatchEvent;
  for (const event of [entered(0), started(0, 0), second, settled(0, 1)]) observe(watch, event);
  expect(shown(watch)[1]).toMatch(/^◐/);
  observe(watch, { ...settled(0, 2), effect: '0#9' } as WatchEvent);
  expect(shown(watch)[1]).toMatch(/^✔/);
});

test('a run that is taken up again brings along what was done', () => {
  const past = [started(0, 0), settled(0, 1), started(1, 1)];
  const watch = watching(2, past);
  for (const event of [entered(0), entered(1)]) observe(watch, event);
  expect(shown(watch).slice(1, 3)).toEqual(['✔ 0 calling  Call look.', '○ 1 calling  Call look.']);
  expect(watch).toMatchObject({ settled: 1, tokens: 1500 });
});

describe('a window', () => {
  const busy = (): Watch => {
    const watch = watching(30);
    for (let n = 0; n < 30; n++) observe(watch, entered(n));
    for (let n = 0; n < 12; n++)
      for (const event of [started(n, 0), settled(n, 1)]) observe(watch, event);
    for (const n of [12, 13]) observe(watch, started(n, 0));
    observe(watch, progress(12, 'text '.repeat(100)));
    return watch;
  };

  test.each([1, 2, 3, 4, 6, 10, 24, 80])('of %i rows is never exceeded', (rows) => {
    const lines = shown(busy(), { ...wide, rows });
    expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
    expect(lines.at(-1)).toMatch(/^2\.5s · 2 effects running, 12 done/);
  });

  test('that is too short shows what runs, and counts the rest', () => {
    const lines = shown(busy(), { ...wide, rows: 12 });
    expect(lines[1]).toBe('  … 11 steps before');
    expect(lines[3]).toMatch(/^◐ 12 /);
    expect(lines.at(-2)).toMatch(/^ {2}… \d+ steps after$/);
  });

  test.each([1, 2, 10, 20, 40])('of %i columns is never exceeded', (columns) => {
    for (const line of shown(busy(), { ...wide, columns })) {
      expect(widthOf(line)).toBeLessThanOrEqual(Math.max(1, columns - 1));
    }
  });
});

describe('the screen', () => {
  const csi = '\u001b[';

  const screenOn = (columns: number) => {
    const stream = Object.assign(new PassThrough(), { columns, rows: 24 });
    const screen = new Screen(stream as unknown as NodeJS.WriteStream);
    return { screen, stream, written: () => String(stream.read() ?? '') };
  };

  test('draws in place: up over what it drew before, and clears what is left', () => {
    const { screen, written } = screenOn(80);
    screen.draw(['one', 'two'], ['one', 'two']);
    expect(written()).toBe(`${csi}?25l${csi}?7lone${csi}K\ntwo${csi}K\n${csi}J`);
    screen.draw(['three'], ['three']);
    expect(written()).toBe(`\r${csi}2Athree${csi}K\n${csi}J`);
    screen.close();
  });

  test('goes up further when a narrower window has wrapped its lines', () => {
    const { screen, stream, written } = screenOn(80);
    screen.draw(['x'.repeat(70)], ['x'.repeat(70)]);
    written();
    stream.columns = 30;
    screen.draw(['y'], ['y']);
    expect(written()).toContain(`\r${csi}3A`);
    screen.close();
  });

  test('writes lines that stay above what is drawn', () => {
    const { screen, written } = screenOn(80);
    screen.draw(['live'], ['live']);
    written();
    screen.write('kept');
    expect(written()).toBe(`\r${csi}1A${csi}J${csi}?7hkept\n${csi}?7l`);
    screen.close();
  });

  test('gives what others write lines of their own, and draws below them', () => {
    const { screen, stream, written } = screenOn(80);
    screen.draw(['live'], ['live']);
    written();
    stream.write('from a tool');
    expect(written()).toBe(`\r${csi}1A${csi}J${csi}?7hfrom a tool\n${csi}?7l`);
    screen.draw(['live'], ['live']);
    expect(written()).toBe(`live${csi}K\n${csi}J`);
    screen.close();
    written();
    stream.write('afterwards');
    expect(written()).toBe('afterwards');
  });

  test('gives the cursor back once, also when the process ends', () => {
    const { screen, written } = screenOn(80);
    const listeners = process.listenerCount('exit');
    screen.draw(['live'], ['live']);
    expect(process.listenerCount('exit')).toBe(listeners + 1);
    written();
    screen.close();
    expect(written()).toBe(`${csi}?7h${csi}?25h`);
    expect(process.listenerCount('exit')).toBe(listeners);
    screen.close();
    expect(written()).toBe('');
  });
});

// util-linux's `script` gives a command a terminal of its own; Node has nothing that does.
const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).status === 0;

test.skipIf(!hasTerminal)('on a terminal the view is drawn and leaves the cursor behind', () => {
  using folder = new Folder({
    'plan.json': [calling(0, 'look', {}, 'found'), answering(1, ref('found'))],
    'tools.mjs': `export default [{ name: 'look', description: 'Looks.', effect: 'read',
      run: () => 'an\\u001b[2Janswer' }];`,
  });
  const command = `'${process.execPath}' '${root}/bin/planvm.js' run plan.json --tools tools.mjs`;
  const { stdout, status } = spawnSync(
    'script',
    ['-qec', `stty cols 60; ${command}`, '/dev/null'],
    {
      cwd: folder.path,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder.path, TERM: 'xterm' },
    },
  );
  expect(status).toBe(0);
  const [, drawn = '', after = ''] = stdout.split(/\[\?25[lh]/);
  expect(stripVTControlCharacters(drawn)).toMatch(/✔ 0 calling {2}Call look\.\r\n/);
  // The answer may not clear the screen of the person who asked.
  expect(stripVTControlCharacters(after)).toContain('an�[2Janswer\r\n');
  expect(after).toContain('done');
});

test.skipIf(!hasTerminal)(
  'a process that may be ended by any signal has given the cursor back',
  () => {
    using folder = new Folder({
      'plan.json': [calling(0, 'spin', {}, 'found'), answering(1, ref('found'))],
      // Once signals are left to the system, the first one ends the process.
      'tools.mjs': `export default [{ name: 'spin', description: 'Spins.', effect: 'read',
      run() { while (process.listenerCount('SIGINT') > 0); process.kill(process.pid, 'SIGINT');
        for (;;); } }];`,
    });
    const command = `'${process.execPath}' '${root}/bin/planvm.js' run plan.json --tools tools.mjs`;
    const { stdout, status } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder.path, TERM: 'xterm' },
    });
    expect(status).toBe(130);
    expect(stdout).toContain('Ctrl-C ends it at once');
    expect(stdout.match(/\[\?25[lh]/g)?.at(-1)).toBe('[?25h');
  },
);
