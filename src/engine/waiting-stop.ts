/** What a run waits for, in words for the person who can do something about it. */
import { stringify } from '../program/json.ts';
import type { RunReason } from './journal/run-state.ts';
import type { OpenQuestion, OpenWait } from './perform/person.ts';
import { type Stop, stop } from './stop.ts';

const shownMax = 5;
const shownCharacters = 200;

/** `open` is not empty. */
export function waitingStop(run: string, open: readonly OpenWait[]): Stop {
  const reason = reasonOf(open);
  const own = open.filter(({ kind }) => reason === 'time' || kind !== 'pause');
  const list = own.slice(0, shownMax).map(waitText);
  const more = own.length > shownMax ? `; and ${own.length - shownMax} more` : '';
  const code = reason === 'time' ? 'PV5141' : 'PV5140';
  const [first] = own;
  const where = first && { id: first.effect, step: first.step, site: { line: 0, column: 0 } };
  return {
    ...stop(reason, 0, code, list.join('; ') + more, hintFor(run, open), where),
    status: 'waiting',
    waits: open,
  };
}

/** One of them in a sentence. */
export function waitText(wait: OpenWait): string {
  const { effect, tool } = wait;
  switch (wait.kind) {
    case 'question':
      return (
        `it asks${forWhom(wait)}: ${clip(wait.question)}${choicesText(wait)} ` +
        `(effect ${effect})` +
        untilText(wait.until)
      );
    case 'approval':
      return (
        `${tool} ${clip(stringify(wait.request))} is to be approved ` +
        `(effect ${effect}): ${wait.why}`
      );
    case 'pause':
      return `it pauses until ${new Date(wait.until).toISOString()} (effect ${effect})`;
  }
}

/** What a person would do, as command lines behind the name of the program. */
export function waitCommands(run: string, open: readonly OpenWait[]): string[] {
  const questions = open.filter((wait) => wait.kind === 'question');
  return open.flatMap((wait) => {
    const { effect } = wait;
    if (wait.kind === 'question') return [`answer ${run} ${whichOf(wait, questions)}"…"`];
    return wait.kind === 'approval' ? [`approve ${run} ${effect}`, `deny ${run} ${effect}`] : [];
  });
}

/** What tells a question from others: whose it is, where nobody is asked two. */
function whichOf({ effect, to }: OpenQuestion, all: readonly OpenQuestion[]): string {
  if (to === undefined && all.length === 1) return '';
  const whose = to ?? 'user';
  const own = all.filter((one) => (one.to ?? 'user') === whose);
  return own.length === 1 ? `--as ${named(whose)} ` : `${effect} `;
}

const named = (name: string): string => (/^\p{XIDC}+$/u.test(name) ? name : JSON.stringify(name));

const forWhom = ({ to }: OpenQuestion): string => (to === undefined ? '' : ` ${to}`);

/** A person comes before time: somebody can do something about it. */
function reasonOf(open: readonly OpenWait[]): RunReason {
  if (open.some(({ kind }) => kind === 'question')) return 'person';
  return open.some(({ kind }) => kind === 'approval') ? 'approval' : 'time';
}

function hintFor(run: string, open: readonly OpenWait[]): string {
  const [first] = waitCommands(run, open);
  if (first === undefined) return `planvm resume ${run} goes on, once the moment has come`;
  return open.some(({ kind }) => kind === 'question')
    ? `planvm ${first}`
    : `planvm ${first}, or deny it`;
}

const choicesText = ({ choices }: OpenQuestion): string =>
  choices ? ` [${clip(choices.map((one) => stringify(one)).join(', '))}]` : '';

const untilText = (until: number | undefined): string =>
  until === undefined ? '' : `, until ${new Date(until).toISOString()}`;

const clip = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters - 1)}…` : text;
