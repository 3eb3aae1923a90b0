/** How sure a text is to be a list of actions, and of which of the two forms. */
import { headOf, isEndName, labelOf } from './shapes.ts';

export interface Detected {
  readonly plan: number;
  readonly transcript: number;
}

/** Lines that are looked at: a list of actions shows what it is in its first ones. */
const linesMax = 400;
/** Characters of each of them. */
const lineMax = 300;

export function detectActions(text: string): Detected {
  // JSON may hold anything in its texts.
  if (/^\s*(?:```\w*\s*)?[[{]/.test(text.slice(0, 1000))) return { plan: 0, transcript: 0 };
  const seen = look(text);
  const { numbered, actions, labels, ids, end } = seen;
  if (numbered === 0 && actions === 0) return { plan: labels > 0 || end ? 0.1 : 0, transcript: 0 };
  // What stands between lines of another language may be a list of actions in a text.
  const sure = labels > 0 || end ? 0.95 : seen.first ? 0.8 : 0.3;
  const isPlan = numbered > 0 || ids > 0 || end;
  return isPlan ? { plan: sure, transcript: sure / 4 } : { plan: sure / 4, transcript: sure };
}

/** Counts of what is found; `first` says whether it begins with an action. */
function look(text: string) {
  const seen = { numbered: 0, actions: 0, labels: 0, ids: 0, end: false, first: false };
  let from = 0;
  let isFirst = true;
  for (let i = 0; i < linesMax && from <= text.length; i++) {
    const end = text.indexOf('\n', from);
    const stop = end < 0 ? text.length : end;
    const line = text.slice(from, Math.min(stop, from + lineMax));
    from = stop + 1;
    const head = headOf(line);
    const label = head ? undefined : labelOf(line)?.label;
    if (head?.form === 'action') seen.actions++;
    else if (
      head &&
      (isEndName(head.name) || head.form === 'numbered' || head.form === 'assigned')
    ) {
      seen.numbered++;
    }
    if (label === 'action' || label === 'input') seen.actions++;
    else if (label === 'id') seen.ids++;
    else if (label !== undefined) seen.labels++;
    if (/<END_OF_PLAN>/i.test(line)) seen.end = true;
    if (isFirst && line.trim() !== '' && !/^\s*(?:#|```|~~~)/.test(line)) {
      isFirst = false;
      seen.first = head !== undefined;
    }
  }
  return seen;
}
