/** Asks a person before something is done that is hard to undo. */

/** True without asking where `yes` says so, or where nobody is at a terminal to answer. */
export async function confirmed(question: string, yes: boolean): Promise<boolean> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return true;
  const { confirm, isCancel } = await import('@clack/prompts');
  const output = process.stderr;
  const answer = await confirm({ message: question, output, initialValue: false });
  return !isCancel(answer) && answer;
}
