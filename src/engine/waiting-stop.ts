/** What a run waits for, in words for the person who can do something about it. */
import { stringify } from '../program/json.ts';
import type { RunReason } from './journal/run-state.ts';
import type { OpenQuestion, OpenWait } from './perform/person.ts';
import { type Stop, stop } from './stop.ts';

const shownMax = 5;
const shownCharacters = 200;

/** `open` is not empty. */
export function waitingStop(open: readonly OpenWait[]): Stop {
  const reason = reasonOf(open);
  const own = open.filter(({ kind }) => reason === 'time' || kind !== 'pause');
  const list = own.slice(0, shownMax).map(waitText);
  const more = own.length > shownMax ? `; and ${own.length - shownMax} more` : '';
  const code = reason === 'time' ? 'PV5141' : 'PV5140';
  const [first] = own;
  const where = first && { id: first.effect, step: first.step, site: { line: 0, column: 0 } };
  return {
    ...stop(reason, 0, code, list.join('; ') + more, hints[reason], where),
    status: 'waiting',
    waits: open,
  };
}

/** One of them in a sentence. */
export function waitText(wait: OpenWait): string {
  return openText(wait) + replyText(wait);
}

/** What somebody has said to it, which no process has taken yet. */
function replyText({ reply }: OpenWait): string {
  if (!reply) return '';
  const { kind, by, note } = reply;
  const said = { answer: 'answered', approve: 'approved', deny: 'denied' }[kind];
  const why = note === undefined || note === '' ? '' : `: ${clip(note)}`;
  return `; ${said} by ${by}, and not taken yet${why}`;
}

function openText(wait: OpenWait): string {
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

const forWhom = ({ to }: OpenQuestion): string => (to === undefined ? '' : ` ${to}`);

/** A person comes before time: somebody can do something about it. */
function reasonOf(open: readonly OpenWait[]): keyof typeof hints {
  if (open.some(({ kind }) => kind === 'question')) return 'person';
  return open.some(({ kind }) => kind === 'approval') ? 'approval' : 'time';
}

const hints = {
  person: 'answer it',
  approval: 'approve it, or deny it',
  time: 'resume it once the moment has come',
} as const satisfies Partial<Record<RunReason, string>>;

const choicesText = ({ choices }: OpenQuestion): string =>
  choices ? ` [${clip(choices.map((one) => stringify(one)).join(', '))}]` : '';

const untilText = (until: number | undefined): string =>
  until === undefined ? '' : `, until ${new Date(until).toISOString()}`;

const clip = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters - 1)}…` : text;
