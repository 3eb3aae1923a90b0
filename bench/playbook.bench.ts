/**
 * What playbooks cost: model calls and prompts of the sample programs, and CPU of the machine as a
 * run, a conversation and a playbook grow. All times are ratios within one run; twice as much should
 * cost twice as much, so a ratio of costs for each is near one.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { checkProgram } from '../src/dialects/index.ts';
import { readPlaybooksWith } from '../src/dialects/playbook/index.ts';
import * as reader from '../src/dialects/playbook/reader.ts';
import { quickTool } from '../test/engine/support.ts';
import { ops, played } from '../test/planner/playbook/played.ts';
import { followed } from '../test/support/playbook-follower.ts';
import { median, report } from './report.ts';

readPlaybooksWith(reader);

const repeats = 3;

const beginning = '# Desk\n\n## Main\n\n### Triggers\n- At the beginning\n\n### Steps\n';

/** Milliseconds of CPU; the first time is for the compiler of the host. */
async function cpuOf(work: () => Promise<unknown> | unknown): Promise<number> {
  await work();
  const took: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    took.push((user + system) / 1000);
  }
  return median(took);
}

/** So many rounds of formal lines. */
async function rounds(count: number): Promise<void> {
  const text = `${beginning}- For each $i in range(${count})\n  - $n = $i * 2\n- Return $n\n`;
  const { result } = await played(text, { replies: [] });
  if (result.status !== 'done') throw new Error(`got ${result.status}, want done`);
}

/** A conversation of so many questions, each with a turn of its own. */
async function talk(turns: number): Promise<void> {
  const text = `${beginning}- For each $i in range(${turns})\n  - Ask them something\n`;
  const { result } = await played(text, {
    replies: () => ops({ say: 'Which one?' }),
    answers: Array.from({ length: turns }, (_, i) => `word ${i}`),
    turns: 2 * turns + 1,
  });
  if (result.status === 'failed') throw new Error(result.error?.message);
}

/** A playbook of so many lines, half of them under conditions. */
function check(lines: number): void {
  const steps = Array.from({ length: lines / 2 }, (_, i) =>
    i % 2 === 0
      ? `- $v${i} = ${i}\n`
      : `- If $n > ${i}\n  - $v${i} = $n + ${i}\n  - Say("{$v${i}}")\n`,
  );
  const text = `${beginning.replace('Main', 'Main($n)')}${steps.join('')}`;
  const environment = { tools: new Map(), inputs: [] };
  const { diagnostics } = checkProgram(text, environment, { dialect: 'playbook' });
  if (diagnostics.length > 0) throw new Error(`got ${diagnostics[0]?.message}, want none`);
}

/** So many calls that do not need each other: by the clock. */
async function looksMs(count: number): Promise<number> {
  const lines = Array.from({ length: count }, (_, i) => `- $r${i} = look()\n`);
  const look = quickTool('look', () => after(200, 'seen'));
  const options = { replies: [], tools: [look] };
  const text = `${beginning}${lines.join('')}- Return $r0\n`;
  await played(text, options);
  const began = performance.now();
  await played(text, options);
  return performance.now() - began;
}

/** Model calls, and characters of their prompts, of the sample programs. */
async function samples(): Promise<{ calls: number; characters: number }> {
  const folder = new URL('../datasets/', import.meta.url);
  const items = JSON.parse(readFileSync(new URL('playbooks.json', folder), 'utf8'));
  const prompts: string[] = [];
  for (const { file, inputs, messages } of items) {
    const ran = await played(readFileSync(new URL(file, folder), 'utf8'), {
      ...{ inline: 8, given: inputs ?? {}, answers: messages ?? [] },
      replies: (asked) => followed(asked.messages),
    });
    prompts.push(...ran.prompts);
  }
  return { calls: prompts.length, characters: prompts.join('').length };
}

const run = { short: await cpuOf(() => rounds(100)), long: await cpuOf(() => rounds(400)) };
const chat = { short: await cpuOf(() => talk(25)), long: await cpuOf(() => talk(100)) };
const book = { short: await cpuOf(() => check(200)), long: await cpuOf(() => check(800)) };
const looks = { one: await looksMs(1), three: await looksMs(3) };
const sample = await samples();

report([
  { name: 'model calls of 12 sample programs', value: sample.calls, unit: '', bar: 18 },
  { name: 'characters of a prompt', value: sample.characters / sample.calls, unit: '' },
  { name: 'CPU of a round of formal lines', value: run.long / 400, unit: 'ms' },
  { name: 'of one among 400 / among 100', value: run.long / run.short / 4, unit: 'x', bar: 1.5 },
  { name: 'CPU of a turn in a conversation', value: chat.long / 100, unit: 'ms' },
  { name: 'of one among 100 / among 25', value: chat.long / chat.short / 4, unit: 'x', bar: 2 },
  { name: 'CPU of a line that is checked', value: book.long / 800, unit: 'ms' },
  { name: 'of one among 800 / among 200', value: book.long / book.short / 4, unit: 'x', bar: 2 },
  {
    name: 'three looks at the same time / one',
    value: looks.three / looks.one,
    unit: 'x',
    bar: 1.2,
  },
]);
