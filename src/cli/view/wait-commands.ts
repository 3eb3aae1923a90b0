/** What a person would do about what a run waits for, as command lines. */
import type { OpenQuestion, OpenWait } from '../../engine/perform/person.ts';

/** They begin behind the name of this program. */
export function waitCommands(run: string, open: readonly OpenWait[]): string[] {
  const questions = open.filter(isUnanswered);
  const commands = open.flatMap((wait) => {
    const { effect, reply } = wait;
    if (reply) return reply.kind === 'approve' ? [`deny ${run} ${effect}`] : [];
    if (wait.kind === 'question') return [`answer ${run} ${whichOf(wait, questions)}"…"`];
    return wait.kind === 'approval' ? [`approve ${run} ${effect}`, `deny ${run} ${effect}`] : [];
  });
  return open.some(({ reply }) => reply) ? [`resume ${run}`, ...commands] : commands;
}

const isUnanswered = (wait: OpenWait): wait is OpenQuestion =>
  wait.kind === 'question' && wait.reply === undefined;

/** What tells a question from others: whose it is, where nobody is asked two. */
function whichOf({ effect, to }: OpenQuestion, all: readonly OpenQuestion[]): string {
  if (to === undefined && all.length === 1) return '';
  const whose = to ?? 'user';
  const own = all.filter((one) => (one.to ?? 'user') === whose);
  return own.length === 1 ? `--as ${named(whose)} ` : `${effect} `;
}

const named = (name: string): string => (/^\p{XIDC}+$/u.test(name) ? name : JSON.stringify(name));
