/**
 * What the machine costs around a model that follows playbooks: how CPU grows with the length of a
 * reply, of a conversation and of a playbook, and how long calls take that do not need each other.
 * All are ratios within one run; twice as much should cost twice as much, so a ratio of costs for
 * each is near one.
 */
import { setTimeout as after } from 'node:timers/promises';
import { checkProgram } from '../src/dialects/index.ts';
import { quickTool } from '../test/engine/support.ts';
import { ops, played } from '../test/planner/playbook/played.ts';
import { median, report } from './report.ts';

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

/** One reply that goes through a loop of so many rounds: three operations in each. */
async function longReply(rounds: number): Promise<void> {
  const text = `${beginning}- For $i from 1 to ${rounds}\n  - Say("No. {$i}.")\n- Return $i\n`;
  const all = Array.from({ length: rounds }, (_, i) =>
    ops({ step: '01' }, { set: { $i: i + 1 } }, { step: '01.01', say: `No. ${i + 1}.` }),
  );
  const reply = [...all, ops({ step: '02', return: '$i' })].join('\n');
  const { said } = await played(text, { replies: [reply] });
  if (said.length !== rounds) throw new Error(`got ${said.length} messages, want ${rounds}`);
}

/** A conversation of so many questions, each with a turn of its own. */
async function longTalk(turns: number): Promise<void> {
  const text = `${beginning}- While $word != "stop"\n  - Ask user for another $word\n- Return $word\n`;
  const asks = ops({ step: '01' }, { step: '01.01', say: 'Which?' }, { yield: 'user' });
  const answers = Array.from({ length: turns }, (_, i) => (i + 1 < turns ? `word ${i}` : 'stop'));
  const heard = answers.map((word) => {
    const on = word === 'stop' ? ops({ step: '02', return: '$word' }) : asks;
    return `${ops({ set: { $word: word } })}\n${on}`;
  });
  const { result } = await played(text, { replies: [asks, ...heard], answers, turns: turns + 1 });
  if (result.status !== 'done') throw new Error(`got ${result.status}, want done`);
}

/** A playbook of so many lines, half of them under conditions. */
function check(lines: number): void {
  const steps = Array.from({ length: lines / 2 }, (_, i) =>
    i % 2 === 0
      ? `- $v${i} = ${i}\n`
      : `- If $n > ${i}\n  - $v${i} = $n + ${i}\n  - Say("{$v${i}}")\n`,
  );
  const text = `${beginning.replace('Main', 'Main($n)')}${steps.join('')}`;
  const { diagnostics } = checkProgram(
    text,
    { tools: new Map(), inputs: [] },
    { dialect: 'playbook' },
  );
  if (diagnostics.length > 0) throw new Error(`got ${diagnostics[0]?.message}, want none`);
}

/** Three looks that do not need each other, beside one: by the clock. */
async function looksMs(count: number): Promise<number> {
  const words = Array.from({ length: count }, (_, i) => `$r${i}`);
  const text = `${beginning}${words.map((word) => `- ${word} = look()\n`).join('')}- Return $r0\n`;
  const look = quickTool('look', () => after(200, 'seen'));
  const calls = words.map((into, i) => ({ step: `0${i + 1}`, call: 'look', args: {}, into }));
  const replies = [ops(...calls, { yield: 'call' }), ops({ step: `0${count + 2}`, return: '$r0' })];
  await played(text, { replies, tools: [look] });
  const began = performance.now();
  await played(text, { replies, tools: [look] });
  return performance.now() - began;
}

const reply = { short: await cpuOf(() => longReply(100)), long: await cpuOf(() => longReply(400)) };
const talk = { short: await cpuOf(() => longTalk(25)), long: await cpuOf(() => longTalk(100)) };
const book = { short: await cpuOf(() => check(200)), long: await cpuOf(() => check(800)) };
const looks = { one: await looksMs(1), three: await looksMs(3) };

report([
  { name: 'CPU of an operation of a reply', value: reply.long / 1200, unit: 'ms' },
  {
    name: 'of one among 1200 / among 300',
    value: reply.long / reply.short / 4,
    unit: 'x',
    bar: 1.5,
  },
  { name: 'CPU of a turn in a conversation', value: talk.long / 100, unit: 'ms' },
  { name: 'of one among 100 / among 25', value: talk.long / talk.short / 4, unit: 'x', bar: 2 },
  { name: 'CPU of a line that is checked', value: book.long / 800, unit: 'ms' },
  { name: 'of one among 800 / among 200', value: book.long / book.short / 4, unit: 'x', bar: 2 },
  {
    name: 'three looks at the same time / one',
    value: looks.three / looks.one,
    unit: 'x',
    bar: 1.2,
  },
]);
