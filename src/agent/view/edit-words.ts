/** What a fork changes, in a few words: `at 4: city="Rome"`. */
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import { shownOf } from '../../engine/result.ts';
import { stringify } from '../../program/json.ts';
import { clip, oneLine } from '../../text/words.ts';

const valueColumns = 30;
const noteColumns = 60;

export function editWords(edit: ForkEdit): string {
  const { at, set = {}, outcomes = {}, program, perform, by, note } = edit;
  const words: string[] = [];
  for (const [name, text] of Object.entries(set)) words.push(`${name}=${shown(text)}`);
  for (const [effect, outcome] of Object.entries(outcomes)) {
    words.push(
      `${effect}=${outcome.ok ? shown(outcome.value) : `error: ${outcome.error.message}`}`,
    );
  }
  if (by !== 'person') words.push(by);
  else if (program && note === undefined) words.push('another program');
  if (perform === 'models') words.push('models anew');
  if (perform === 'all') words.push('all anew');
  if (note !== undefined) words.push(`“${clip(oneLine(note), noteColumns)}”`);
  const place = at === undefined ? 'from the start' : `at ${at}`;
  return words.length === 0 ? place : `${place}: ${oneLine(words.join(', '))}`;
}

const shown = (text: string): string => clip(oneLine(stringify(shownOf(text))), valueColumns);
