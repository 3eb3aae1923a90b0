/**
 * What `llm_call` does with values that do not fit: a run of the loop `digest` within the effect,
 * so that no part that has been read is read again, whatever becomes of the process.
 */
import { type AttemptContext, type RunLoop, refusal } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import type { Digesting } from './document.ts';
import type { Fit } from './fit.ts';
import { digestHandlers } from './handlers.ts';
import type { Piece } from './sharing.ts';

/** As the loop answers. */
interface Digested {
  readonly text: string;
  readonly cut: boolean;
  readonly strategy: 'map' | 'top';
  readonly why: string;
  readonly parts: number;
  readonly left_out: readonly Piece[];
}

/** The text of the model. Throws what the loop ends with, and PV4164 where it gives no answer. */
export async function digest(
  on: Digesting,
  fit: Exclude<Fit, 'fail'>,
  context: AttemptContext,
  runLoop: RunLoop,
): Promise<{ readonly text: string; readonly notes: readonly string[]; isReduced: boolean }> {
  const [title = ''] = on.instruction.split('\n', 1);
  const answer = await runLoop(context, {
    loop: 'digest',
    title: title.slice(0, titleMax),
    inputs: { fit },
    handlers: digestHandlers(on),
  });
  if (!isDigested(answer)) {
    throw refusal('PV4164', `the loop digest answered ${clipped(answer)}`, {
      hint: 'it has to answer {"text", "cut", "strategy", "why", "parts", "left_out"}',
    });
  }
  const isReduced = answer.strategy === 'map' && answer.parts > 0;
  return { text: answer.text, notes: notesOn(on, answer), isReduced };
}

const titleMax = 80;

const clipped = (answer: unknown): string => {
  const text = stringify(answer ?? null);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

function isDigested(answer: unknown): answer is Digested {
  if (typeof answer !== 'object' || answer === null) return false;
  const { text, strategy, left_out, parts } = answer as Record<string, unknown>;
  const known = strategy === 'map' || strategy === 'top';
  return typeof text === 'string' && known && Array.isArray(left_out) && parts !== undefined;
}

/** What a person is told of it: that it was no single call, and what was not read. */
function notesOn(on: Digesting, { strategy, why, parts, left_out, cut }: Digested): string[] {
  const tokens = on.documents.reduce((sum, one) => sum + one.tokens, 0);
  const size = `the values are about ${tokens} tokens, a call may send ${on.most}`;
  const done =
    strategy === 'map'
      ? `all was read, in ${parts} parts that were put together`
      : `only the passages nearest to the instruction were read (${why})`;
  return [
    `${size}: ${done}`,
    ...leftOut(on, left_out),
    ...(cut ? [`${on.model.name} stopped at its token limit: the answer is cut off`] : []),
  ];
}

/** A line for each value of which something was left out. */
function leftOut(on: Digesting, pieces: readonly Piece[]): string[] {
  return [...Map.groupBy(pieces, ([number]) => number)].map(([number, own]) => {
    const { text = '', source = '' } = on.documents[number - 1] ?? {};
    const lost = own.reduce((sum, [, from, to]) => sum + to - from, 0);
    const shown = own.slice(0, spansMax).map(([, from, to]) => `${from}–${to}`);
    const more = own.length > spansMax ? ', …: the run within has all' : '';
    const named = source === '' ? '' : ` (${source})`;
    return (
      `left out of value ${number}${named}: ${lost} of ${text.length} characters, ` +
      `${shown.join(', ')}${more}`
    );
  });
}

const spansMax = 12;
