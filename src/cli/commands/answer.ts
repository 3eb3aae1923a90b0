/** `planvm answer`: answers a question of a run, and lets the run go on. */
import type { CommandSpec } from '../command.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { userName } from '../process/terminal-person.ts';
import { type ReplyFlags, replyOptions, replyTo } from '../run/replying.ts';

interface Flags extends ReplyFlags {
  readonly as?: string;
}

export const command: CommandSpec = {
  about:
    'Answer a question of a run, and go on with it. From any process, at any time: where ' +
    'another process has the run, it takes the answer within a second.',
  takes: [
    ['<run>', 'The beginning of a run id, or last.'],
    ['<answer...>', 'The answer; in front of it the effect, where several are open.'],
  ],
  options: [
    ['--as <name>', 'Who answers: of several questions the one that this person is asked.'],
    ...replyOptions(),
  ],
  examples: [
    ['planvm answer last "the second one"', 'answer the question that the latest run asks'],
    ['planvm answer r0abc 0.2#1 yes', 'one of several questions, by its effect'],
    ['planvm answer last --as Clara "Rome, then"', 'the question that Clara is asked'],
    ['planvm answer r0abc 42 --no-run', 'leave the answer; planvm resume r0abc goes on later'],
    ['planvm answer r0abc - < letter.txt', 'a long answer, from stdin'],
  ],
  act: answer,
};

async function answer(run: string, words: readonly string[], flags: Flags): Promise<ExitCode> {
  const { effect, text } = await readWords(words);
  return await replyTo(run, flags, {
    ...(effect !== undefined && { effect }),
    ...(flags.as !== undefined && { to: flags.as }),
    ...{ by: flags.as ?? userName(), answer: text, isTyped: true },
  });
}

/** `0.2~1#3` or `0#7.1`, as `planvm show` prints it. */
const effectId = /^\d+(~\d+)?(\.\d+(~\d+)?)*#\d+(\.\d+)?$/;

async function readWords(words: readonly string[]): Promise<{ effect?: string; text: string }> {
  const [first = '', second, ...more] = words;
  const isEffect = effectId.test(first);
  if (more.length > 0 || (second !== undefined && !isEffect)) {
    throw new CliError('PV6002', `got ${words.length} words, want one answer`, {
      hint: 'put an answer of several words in quotes',
    });
  }
  if (!isEffect) return { text: await textOf(first) };
  if (second !== undefined) return { effect: first, text: await textOf(second) };
  throw new CliError('PV6002', `got the effect ${first}, and no answer`, {
    hint: `write it behind: ${first} "…"`,
  });
}

async function textOf(word: string): Promise<string> {
  if (word !== '-') return word;
  const { text } = await import('node:stream/consumers');
  return (await text(process.stdin)).trimEnd();
}
