/**
 * What is done otherwise, where the line says only what is other about it: behind `return "a"`,
 * `otherwise "b"` returns that, and behind `say "a"` it says it.
 */
import { unquoted } from '../../text/brackets.ts';
import { callIn } from '../../text/calls.ts';
import { assignmentIn, isValueAlone } from '../../text/variables.ts';
import { elseCondition, elseWord } from '../../text/words.ts';
import type { Draft } from '../draft.ts';

/**
 * As a statement of its own; a text that is one stays as it is. Undefined where nobody can say what
 * a part of one is to do: `otherwise "b"` behind a call, `otherwise to the harbour`.
 */
export function otherCase(text: string, before: Draft | undefined): string | undefined {
  const bare = text.replace(/(?<![.])[.!]$/, '').trim();
  const value = bare.replace(/^to\s+/i, '');
  if (!isValueAlone(value)) return isPart.test(bare) ? undefined : text;
  const last = lastOf(before);
  if (last?.code === 'RET' && last.text !== '' && !callIn(last.text)) return `Return ${value}`;
  const set = last?.code === 'EXE' ? assignmentIn(last.text) : undefined;
  if (set) return `${set.target}${set.type === undefined ? '' : `:${set.type}`} = ${value}`;
  const isSaid = last?.code === 'QUE' && /^Say\(user, "/.test(last.text);
  return isSaid && unquoted(bare) !== undefined ? text : undefined;
}

/** `Otherwise "b"`, with what that is to do; other texts and whole statements stay as they are. */
export function asOtherCase(text: string, before: Draft | undefined): string | undefined {
  const [word] = elseCondition.test(text) ? [] : (elseWord.exec(text) ?? []);
  const rest = word === undefined ? '' : text.slice(word.length).replace(/^[\s,:]+/, '');
  const other = rest === '' ? rest : otherCase(rest, before);
  return other === rest ? text : other && `Otherwise, ${other}`;
}

/** What is done last under a condition. */
function lastOf(draft: Draft | undefined): Draft | undefined {
  const last = draft?.children.at(-1);
  return last ? lastOf(last) : draft;
}

const isPart = /^(?:to|with|for|as|by|from|into)\s/i;
