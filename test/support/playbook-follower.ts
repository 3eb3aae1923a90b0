/**
 * A model that does the open lines of a playbook by what it is shown and nothing else: for counting
 * what programs take. It puts what is to be said as the line has it, sets what was answered to the
 * words of the answer, and finds that no condition in words holds.
 */
export interface Shown {
  readonly role: string;
  readonly content: string;
}

/** The reply to a request: an operation a line. */
export function followed(messages: readonly Shown[]): string {
  const talk = messages.filter(({ role }) => role !== 'system');
  const asked = talk.at(-1)?.content ?? '';
  const [, number = '', more = ''] = placeForm.exec(asked) ?? [];
  const text = linesIn(talk).get(number) ?? '';
  const wants = /^; (.*) ha(?:s|ve) no value yet/.exec(more)?.[1]?.split(', ') ?? [];
  const answer = /The person wrote: (".*")/.exec(asked)?.[1];
  const ops = opsAt({ number, text, more, wants, answer }, knownIn(talk));
  return ops.map((op) => JSON.stringify(op)).join('\n');
}

const placeForm = /You are at ([\d.]*\d)([^\n]*)/;

interface At {
  readonly number: string;
  readonly text: string;
  readonly more: string;
  readonly wants: readonly string[];
  readonly answer: string | undefined;
}

function opsAt({ number, text, more, wants, answer }: At, known: string): readonly object[] {
  if (wants.length > 0 && answer !== undefined) {
    return [{ set: Object.fromEntries(wants.map((name) => [name.slice(1), JSON.parse(answer)])) }];
  }
  const [, asks] = /^Ask .*?\$(\w+)/.exec(text) ?? [];
  if (asks !== undefined && answer !== undefined) return [{ set: { [asks]: JSON.parse(answer) } }];
  if (more.includes('decide')) return [{ at: number, holds: false }];
  if (number === '') return [{ return: null }];
  const [, returned] = /^Return (.*)$/.exec(text) ?? [];
  if (returned !== undefined) return [{ at: number }, { return: returned }];
  const wait = asks === undefined ? [] : [{ yield: 'user' }];
  return [{ at: number }, { say: `${text.replaceAll('$', '')}: ${known}` }, ...wait];
}

/** The lines of the playbook that was shown last, by their numbers. */
function linesIn(talk: readonly Shown[]): ReadonlyMap<string, string> {
  const shown = talk.findLast(({ role, content }) => role === 'user' && /^## /m.test(content));
  return new Map(
    [...(shown?.content ?? '').matchAll(/^=? *(\d\d(?:\.\d\d)*) (.*)$/gm)].map(
      ([, number = '', text = '']) => [number, text],
    ),
  );
}

/** What it was shown last of each variable, without braces, in which it would be filled in. */
function knownIn(talk: readonly Shown[]): string {
  const shown = talk.flatMap(({ role, content }) =>
    role === 'user' ? [...content.matchAll(/^(?:- [\w.]+ into )?(\$?\w+)(?: =|:) (.*)$/gm)] : [],
  );
  return [...new Map(shown.map(([, name = '', value = '']) => [name, value]))]
    .map(([name, value]) => `${name.replace('$', '')} ${value.replaceAll(/[{}$]/g, '')}`)
    .join(', ');
}
