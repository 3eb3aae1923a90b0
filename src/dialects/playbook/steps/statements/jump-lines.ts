/** Lines that go on elsewhere: at a step, at the beginning, behind a loop, with its next round. */
import type { Place } from '../../source/tree.ts';
import * as words from '../../text/words.ts';
import type { Context } from '../calls/hoisting.ts';
import { type Draft, jump } from '../draft.ts';

export function jumped(text: string, place: Place, context: Context): Draft | undefined {
  const number = (words.jumpForm.exec(text) ?? words.jumpNumberForm.exec(text))?.[1];
  if (number !== undefined) return jump({ to: 'item', number }, place);
  if (words.restartForm.test(text)) return jump({ to: 'first' }, place);
  const [, back] = words.backForm.exec(text) ?? [];
  const line = back === undefined ? undefined : context.lineAbout(back);
  if (line) return jump({ to: 'place', place: line }, place);
  if (words.breakForm.test(text)) return jump({ to: 'after' }, place);
  if (words.continueForm.test(text)) return jump({ to: 'head' }, place);
  const item = words.nextItemForm.exec(text)?.[1] ?? '';
  return context.items?.includes(item) ? jump({ to: 'head', item }, place) : undefined;
}
