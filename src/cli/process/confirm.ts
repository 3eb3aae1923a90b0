/** Asks a person before something is done that is hard to undo. */
import { say } from '../view/output.ts';

/**
 * True without asking where `yes` says so, or where nobody is at a terminal to answer; `about` is
 * what the question is about, a line each.
 */
export async function confirmed(
  question: string,
  yes: boolean,
  about: readonly string[] = [],
): Promise<boolean> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return true;
  for (const line of about) say(line);
  const { confirm, isCancel } = await import('@clack/prompts');
  const output = process.stderr;
  const answer = await confirm({ message: question, output, initialValue: false });
  return !isCancel(answer) && answer;
}
