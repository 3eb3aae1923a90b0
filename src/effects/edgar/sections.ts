/**
 * The items of a form: where each begins and ends in its text. A form names them twice, in its
 * table of contents and where they stand: the longer one is the section. Pure.
 */
import { refusal } from '../../engine/handler.ts';

export interface Section {
  /** `1A`; of a quarterly report `II.1A`, since its two parts number alike. */
  readonly id: string;
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

const heading =
  /^(?:part\s+([iv]+)\s*[,.—–-]*\s*)?item\s+(\d{1,2}(?:\.\d{2})?[a-c]?)\s*[.:—–-]*\s*(.*)$/i;
const partHeading = /^part\s+([iv]{1,3})\b[\s.:—–-]*(.{0,60})$/i;
/** A sentence that begins with `Item 7` speaks of one. */
const sentence = /^(of|in|and|above|below|to|is|was|for|under|or|which|shall|by)\b|[;]$/i;
const headingCharactersMax = 160;

export function sectionsOf(text: string, form: string): readonly Section[] {
  const hasParts = /^10-?Q/i.test(form);
  const found = headings(text, hasParts);
  const longest = new Map<string, Section>();
  for (const [index, { id, title, start }] of found.entries()) {
    const end = found[index + 1]?.start ?? text.length;
    const known = longest.get(id);
    if (known && known.end - known.start >= end - start) continue;
    longest.set(id, { id, title: title || titleAfter(text, start, end), start, end });
  }
  return [...longest.values()].toSorted((one, other) => one.start - other.start);
}

interface Heading {
  readonly id: string;
  readonly title: string;
  readonly start: number;
}

function headings(text: string, hasParts: boolean): readonly Heading[] {
  const found: Heading[] = [];
  let part = 'I';
  let at = 0;
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    const plain = line.trim();
    if (plain.length > headingCharactersMax) continue;
    const [, ofPart] = partHeading.exec(plain) ?? [];
    if (ofPart !== undefined && !/\bitem\b/i.test(plain)) part = ofPart.toUpperCase();
    const [, own, number, title = ''] = heading.exec(plain) ?? [];
    if (number === undefined || sentence.test(title)) continue;
    if (own !== undefined) part = own.toUpperCase();
    const id = (hasParts ? `${part}.` : '') + number.toUpperCase();
    found.push({ id, title: title.replace(/(?<![\s.…\d])[\s.…\d]+$/, '').trim(), start });
  }
  return found;
}

/** The line below a heading that is a number alone. */
function titleAfter(text: string, start: number, end: number): string {
  const [, ...lines] = text.slice(start, Math.min(end, start + 400)).split('\n');
  const next = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  return next.length <= 120 && !next.startsWith('|') ? next : '';
}

/** By id, `Item 7`, `Part II, Item 1A`, or words of the title. Throws `EffectFailure` PV4763. */
export function sectionOf(wanted: string, sections: readonly Section[]): Section {
  const [, part, number] =
    /^(?:part\s+)?(?:([iv]+)\s*(?:[.,]\s*)?)?(?:item\s+)?(\d{1,2}(?:\.\d{2})?[a-c]?)\.?$/i.exec(
      wanted.trim(),
    ) ?? [];
  const id = [part, number].filter((one) => one !== undefined).join('.');
  const words = wanted.trim().toLowerCase();
  const found = sections.filter((one) =>
    number === undefined
      ? one.title.toLowerCase().includes(words)
      : one.id.toUpperCase() === id.toUpperCase() ||
        (part === undefined && one.id.split('.').slice(1).join('.') === number.toUpperCase()),
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  const named = (found.length > 1 ? found : sections).map((one) => `${one.id} ${one.title}`.trim());
  const message =
    found.length > 1
      ? `several sections are called ${wanted}`
      : `the filing has no section ${wanted}`;
  throw refusal('PV4763', message, {
    hint: named.length === 0 ? 'take it as a whole' : `there are ${named.slice(0, 30).join('; ')}`,
  });
}
