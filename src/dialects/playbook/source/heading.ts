/** What headings say: `# Bike desk:Human`, `## Book a bike($bike, deposit=20) -> str`. */
import { isName, namePattern } from '../../../program/name.ts';
import { bracketEnd, split, straightened } from '../grammar/text.ts';
import type { Agent, AgentKind, Metadata, Mode, Parameter, Place, PlaybookHead } from './tree.ts';

export interface PlaybookTitle {
  readonly name: string;
  readonly written: string;
  readonly parameters: readonly Parameter[];
  readonly returns?: string;
  /** What cannot be a parameter. */
  readonly wrong: readonly string[];
  /** Whether there are brackets at all. */
  readonly isSignature: boolean;
}

export function playbookTitle(text: string, ordinal: number): PlaybookTitle {
  const bare = straightened(text.replace(/^`(.*)`$/, '$1').trim());
  const start = signatureStart(bare);
  const end = start < 0 ? undefined : bracketEnd(bare, start);
  const after = end === undefined ? bare : bare.slice(end + 1);
  const isSignature = end !== undefined && /^\s*(?:->.*|:)?$/.test(after);
  const tail = isSignature ? after : bare;
  const arrow = tail.indexOf('->');
  const title = arrow < 0 ? bare : bare.slice(0, arrow);
  const written = (isSignature ? bare.slice(0, start) : title).trim();
  const parts = isSignature ? split(bare.slice(start + 1, end), ',') : [];
  const parameters = parts.map((part) => parameterIn(part.trim()));
  const type = arrow < 0 ? '' : tail.slice(arrow + 2).trim();
  const returns = type.length > 1 && type.endsWith(':') ? type.slice(0, -1).trimEnd() : type;
  return {
    ...{ name: nameFrom(written, `Playbook${ordinal}`), written, isSignature },
    parameters: parameters.filter((parameter) => parameter !== undefined),
    wrong: parts.map((part, at) => (parameters[at] ? '' : part.trim())).filter(Boolean),
    ...(returns !== '' && { returns }),
  };
}

/** Brackets that a name stands before; such as `(optional)` after a blank are words. */
function signatureStart(text: string): number {
  const start = text.indexOf('(');
  const inside = text.slice(start + 1);
  const isWords =
    /\s$/.test(text.slice(0, start)) && !/^\s*(?:[$)]|\p{XIDC}+\s*[:=,)])/u.test(inside);
  return start <= 0 || isWords ? -1 : start;
}

const parameterForm = new RegExp(
  String.raw`^(\$?)(${namePattern})\s*(?::\s*([^=]*[^=\s]|(?<=\s))\s*)?(?:=\s*([\s\S]+))?$`,
  'u',
);

function parameterIn(text: string): Parameter | undefined {
  const [, dollar, name, type, value] = parameterForm.exec(text) ?? [];
  if (name === undefined) return undefined;
  return {
    name,
    ...(dollar === '$' && { hasDollar: true }),
    ...(type !== undefined && { type: type.trim() }),
    ...(value !== undefined && { default: value.trim() }),
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

/** What a playbook is by its title and its metadata. */
export function playbookHead(
  { name, parameters, returns, written }: Omit<PlaybookTitle, 'wrong' | 'isSignature'>,
  metadata: Metadata,
  mode: Mode,
  place: Place,
): Omit<PlaybookHead, 'description'> {
  const isPublic = metadata.public === true || metadata.export === true;
  return {
    ...{ name, written, parameters, metadata, mode, isPublic, place },
    isHidden: metadata.hidden === true,
    ...(returns !== undefined && { returns }),
  };
}

const kinds: Readonly<Record<string, AgentKind>> = { ai: 'ai', human: 'human', mcp: 'mcp' };

/** `unknownKind` is a word after the colon that is not a kind. */
export function agentTitle(
  text: string,
  ordinal: number,
): Pick<Agent, 'name' | 'written' | 'kind'> & { readonly unknownKind?: string } {
  const [, title = text, word = 'ai'] = /^(.*):\s*(\w+)\s*$/.exec(text) ?? [];
  const written = title.trim();
  const kind = kinds[word.toLowerCase()];
  return {
    ...{ name: nameFrom(written, `Agent${ordinal}`, true), written, kind: kind ?? 'ai' },
    ...(kind === undefined && { unknownKind: word }),
  };
}

/** One word for a heading: as it is where it is one, else its words, each with a capital. */
export function nameFrom(written: string, otherwise: string, isCapital = false): string {
  const plain = written.normalize('NFC');
  if (isName(plain)) return isCapital ? capital(plain) : plain;
  const words = plain.split(/\P{XIDC}+/u).map(capital);
  const name = words.join('').replace(/^[^\p{XIDS}_]+/u, '');
  return name === '' ? otherwise : capital(name);
}

const capital = (word: string): string => word.replace(/^\p{Ll}/u, (first) => first.toUpperCase());

export type Section = 'triggers' | 'steps' | 'notes';

/** In English and French, without accents. */
const sections: readonly (readonly [Section, RegExp])[] = [
  ['triggers', /^(?:triggers?|declencheurs?)$/],
  ['steps', /^(?:steps?|etapes?)$/],
  ['notes', /^(?:notes?|remarques?)$/],
];

/** What a heading under a playbook begins; undefined for any other heading. */
export function sectionOf(heading: string): Section | undefined {
  if (heading.length > 60) return undefined;
  const letters = heading.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const word = letters.replace(/^\P{L}+|\P{L}+$/gu, '').toLowerCase();
  return sections.find(([, form]) => form.test(word))?.[0];
}
