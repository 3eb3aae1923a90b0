/** What headings say: `# Bike desk:AI`, `## Book a bike($bike, deposit=20) -> str`. */
import { isName, namePattern } from '../../../program/name.ts';
import { bracketEnd, indexOutside, split, straightened } from '../grammar/text.ts';
import type { AgentKind, Parameter } from './tree.ts';

export interface PlaybookTitle {
  readonly name: string;
  readonly written: string;
  readonly parameters: readonly Parameter[];
  readonly returns?: string;
  /** Words before the name that say who may use it: `public:`, `export:`. */
  readonly flags: readonly string[];
  /** What cannot be a parameter. */
  readonly wrong: readonly string[];
  /** Whether there are brackets at all. */
  readonly isSignature: boolean;
}

export function playbookTitle(text: string, ordinal: number): PlaybookTitle {
  const bare = straightened(text.replace(/^`(.*)`$/, '$1').trim());
  const [, flag = '', rest = bare] =
    /^(public|export|hidden|meeting)\s*:\s*(.+)$/i.exec(bare) ?? [];
  const start = signatureStart(rest);
  const end = start < 0 ? undefined : bracketEnd(rest, start);
  const isSignature = start >= 0 && end !== undefined && /^\s*(->.*|:)?$/.test(rest.slice(end + 1));
  const written = (isSignature ? rest.slice(0, start) : rest.replace(/\s*->.*$/, '')).trim();
  const inside = isSignature && end !== undefined ? rest.slice(start + 1, end) : '';
  const parts = inside.trim() === '' ? [] : split(inside, ',').map((part) => part.trim());
  const read = parts.map((part) => [part, parameter(part)] as const);
  const returns = /->\s*(.+?)\s*:?$/.exec(isSignature && end ? rest.slice(end + 1) : rest)?.[1];
  return {
    name: nameFrom(written, `Playbook${ordinal}`),
    written,
    parameters: read.flatMap(([, found]) => (found ? [found] : [])),
    wrong: read.flatMap(([part, found]) => (found || part === '' ? [] : [part])),
    flags: flag === '' ? [] : [flag.toLowerCase()],
    isSignature,
    ...(returns === undefined ? {} : { returns }),
  };
}

/** Brackets that a name stands before; such as `(optional)` behind a blank are words. */
function signatureStart(text: string): number {
  const start = text.indexOf('(');
  if (start <= 0) return -1;
  const end = bracketEnd(text, start);
  const inside = end === undefined ? '' : text.slice(start + 1, end);
  const isWords =
    /\s$/.test(text.slice(0, start)) && !/^\s*(\$|$|\p{XIDC}+\s*[:=,]|\p{XIDC}+\s*$)/u.test(inside);
  return isWords ? -1 : start;
}

const parameterForm = new RegExp(
  String.raw`^(\$?)(${namePattern})\s*(?::\s*([^=]+?))?\s*(?:=\s*([\s\S]+))?$`,
  'u',
);

function parameter(text: string): Parameter | undefined {
  const [, dollar, name, type, value] = parameterForm.exec(text) ?? [];
  if (name === undefined) return undefined;
  return {
    ...{ name, scope: dollar === '$' ? 'state' : 'local' },
    ...(dollar === '$' && { hasDollar: true }),
    ...(type === undefined ? {} : { type: type.trim() }),
    ...(value === undefined ? {} : { default: value.trim() }),
  };
}

/** As `planvm compile` writes it: `Name($x: str = "a", y) -> str`. */
export function signature(title: Pick<PlaybookTitle, 'name' | 'parameters' | 'returns'>): string {
  const inside = title.parameters.map(
    ({ name, hasDollar, type, default: value }) =>
      `${hasDollar ? '$' : ''}${name}${type === undefined ? '' : `: ${type}`}` +
      (value === undefined ? '' : ` = ${value}`),
  );
  const returns = title.returns === undefined ? '' : ` -> ${title.returns}`;
  return `${title.name}(${inside.join(', ')})${returns}`;
}

export interface AgentTitle {
  readonly name: string;
  readonly written: string;
  readonly kind: AgentKind;
  /** A word behind the colon that is none of a kind. */
  readonly unknownKind?: string;
}

const kinds: ReadonlyMap<string, AgentKind> = new Map([
  ...[['ai', 'ai'] as const, ['agent', 'ai'] as const],
  ...[['human', 'human'] as const, ['mcp', 'mcp'] as const],
]);

export function agentTitle(text: string, ordinal: number): AgentTitle {
  const colon = indexOutside(text, ':');
  const word = colon < 0 ? '' : text.slice(colon + 1).trim();
  const isKind = /^\w+$/.test(word);
  const written = (isKind ? text.slice(0, colon) : text).trim();
  const kind = kinds.get(word.toLowerCase());
  return {
    ...{ name: nameFrom(written, `Agent${ordinal}`, true), written, kind: kind ?? 'ai' },
    ...(isKind && kind === undefined ? { unknownKind: word } : {}),
  };
}

/** One word for a heading: as it is where it is one, else its words, each with a capital. */
export function nameFrom(written: string, otherwise: string, isCapital = false): string {
  const plain = written.normalize('NFC');
  if (isName(plain)) return isCapital ? capital(plain) : plain;
  const words = plain.split(/\P{XIDC}+/u).filter((word) => word !== '');
  const name = words
    .map(capital)
    .join('')
    .replace(/^[^\p{XIDS}_]+/u, '');
  return name === '' ? otherwise : capital(name);
}

/** Georgian has capitals, but no word begins with one. */
const capital = (word: string): string =>
  word.replace(/^(?!\p{Script=Georgian})\p{Ll}/u, (first) => first.toUpperCase());

export type Section = 'triggers' | 'steps' | 'notes' | 'code';

/** In English, French, German, Spanish, Italian, Portuguese and Dutch, without accents. */
const sections: readonly (readonly [Section, RegExp])[] = [
  ['triggers', /^(?:triggers?|declencheurs?|ausloser|disparador(?:es)?|gatilhos?)$/],
  ['steps', /^(?:steps?|etapes?|etapas|schritte?|pasos?|pass[io]|passos|stappen)$/],
  ['notes', /^(?:notes?|remarks?|remarques?|hinweise?|anmerkungen|notizen|notas|opmerkingen)$/],
  ['code', /^(?:code|tools)$/],
];

/** What a heading under a playbook begins; undefined for any other heading. */
export function sectionOf(heading: string): Section | undefined {
  const word = heading
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/^\P{L}+/u, '')
    .replace(/\P{L}+$/u, '')
    .toLowerCase();
  return word.length > 20 ? undefined : sections.find(([, form]) => form.test(word))?.[0];
}
