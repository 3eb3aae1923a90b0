/** A subgraph as data that a plan or a model can read: names instead of ids, bounded in size. */
import {
  explore,
  type FactRow,
  graphLimits,
  type Link,
  type Node,
  type Place,
  type Subgraph,
} from './graph.ts';
import type { Knowledge } from './knowledge.ts';
import { Names, namedWordsMax } from './names.ts';
import { wordsOf } from './words.ts';

export interface GraphAnswer {
  /** What the query asks for of the things that it names, where it names both. */
  readonly text?: string;
  readonly entities: readonly EntityAnswer[];
  readonly relations: readonly RelationAnswer[];
  /** What a reader has to know: that nothing matched, or what was left out. */
  readonly note?: string;
}

export interface EntityAnswer {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly types: readonly string[];
  /** Values by predicate; a list where a predicate has several. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** What the source says about a property itself, by predicate: where from, as of when. */
  readonly qualifiers?: Readonly<Record<string, unknown>>;
  /** Files and lines that state this. */
  readonly source: string;
}

export interface RelationAnswer {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly source: string;
  readonly qualifiers?: Readonly<Record<string, string>>;
}

const relationsMax = 200;
const aliasesMax = 10;
/** Characters of the whole answer as JSON, of one entity's values, and of one text. */
const answerCharsMax = 60_000;
const entityCharsMax = 12_000;
const textCharsMax = 2_000;

/** Depth counts links from what the query names: 0 is only that itself. */
export function queryGraph(knowledge: Knowledge, query: string, depth: number): GraphAnswer {
  const names = new Names(knowledge);
  const graph = explore(knowledge, names, query, depth);
  const writer = new Writer(names);
  const links = merged(graph.links, names);
  const center = graph.nodes.filter(({ distance }) => distance === 0);
  const around = graph.nodes.filter(({ distance }) => distance > 0);
  const entities = center.flatMap((node) => writer.entity(node));
  const relations = links.slice(0, relationsMax).flatMap((link) => writer.relation(link));
  entities.push(...around.flatMap((node) => writer.entity(node)));
  const left = {
    entities: graph.left.entities + graph.nodes.length - entities.length,
    relations: graph.left.facts + links.length - relations.length,
  };
  const words = wordsOf(query).length;
  const notes = [
    ...notesOn(graph, knowledge),
    ...(left.entities + left.relations > 0 ? [leftOut(left)] : []),
    ...writer.notes(),
    ...(words > namedWordsMax
      ? [`Names were looked for in the first ${namedWordsMax} of the query's ${words} words.`]
      : []),
  ];
  const text = graph.by === 'name' ? askedText(center, links, names) : '';
  return {
    ...(text === '' ? {} : { text }),
    ...{ entities, relations },
    ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
  };
}

/** The values of the predicates that the query names: alone where it asks for one of one thing. */
function askedText(center: readonly Node[], links: readonly MergedLink[], names: Names): string {
  const asked = center.flatMap((node) => {
    const values = Map.groupBy(askedOf(node, links, names), ([predicate]) => predicate);
    return values.size === 0 ? [] : [{ name: names.nameOf(node.thing.id), values }];
  });
  const [only, ...more] = asked;
  const said = (values: readonly Asked[] | undefined): string =>
    [...new Set(values?.map(([, value]) => value))].join(', ');
  if (only && more.length === 0 && only.values.size === 1)
    return said([...only.values.values()][0]);
  return asked
    .map(({ name, values }) => {
      const parts = [...values].map(([predicate, each]) => `${predicate} ${said(each)}`);
      return `${name}: ${parts.join('; ')}`;
    })
    .join('\n');
}

type Asked = readonly [predicate: string, value: string];

/** What is said of a thing, or else with it as the object. */
function askedOf(
  { thing, facts }: Node,
  links: readonly MergedLink[],
  names: Names,
): readonly Asked[] {
  const fit = links.filter(({ fact }) => fact.score > 0);
  const asked = (fact: FactRow, value: string): Asked => [names.nameOf(fact.predicate), value];
  const own = [
    ...facts.flatMap((fact) =>
      fact.literal !== null && fact.score > 0 ? [asked(fact, fact.literal)] : [],
    ),
    ...fit.flatMap(({ fact, subject, object }) =>
      subject.id === thing.id ? [asked(fact, names.nameOf(object.id))] : [],
    ),
  ];
  if (own.length > 0) return own;
  return fit.flatMap(({ fact, subject, object }) =>
    object.id === thing.id ? [asked(fact, names.nameOf(subject.id))] : [],
  );
}

function notesOn(graph: Subgraph, knowledge: Knowledge): string[] {
  switch (graph.by) {
    case 'name':
      return [];
    case 'word':
      return ['The query names no entity; these are the nearest by their words.'];
    case 'predicate':
      return ['The query names no entity; these have a property that it names.'];
    case 'nothing': {
      const { facts, chunks } = knowledge.counts();
      const texts = `search its ${chunks} pieces of text with vector_search`;
      return [
        facts > 0
          ? `nothing matched: the query names no entity of the knowledge base; ${texts}`
          : `nothing matched: the knowledge base holds no facts; ${texts}`,
      ];
    }
  }
}

const leftOut = (left: { entities: number; relations: number }): string =>
  `Left out: ${left.entities} entities and ${left.relations} relations ` +
  `(limits ${graphLimits.entities} and ${relationsMax}); ask about fewer things at once.`;

interface MergedLink extends Link {
  readonly sources: readonly string[];
}

/** The same relation stated in several places, once with all of them. */
function merged(links: readonly Link[], names: Names): MergedLink[] {
  const byMeaning = Map.groupBy(links, ({ subject, object, fact }) =>
    [subject.id, names.nameOf(fact.predicate), object.id, fact.qualifiers].join('\n'),
  );
  return [...byMeaning.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first, sources: same.map(({ fact }) => placeOf(fact)) }] : [];
  });
}

const placeOf = ({ document, line }: Place): string => `${document}:${line}`;

/** Writes parts of the answer while there is room for them. */
class Writer {
  readonly #names: Names;
  #room = answerCharsMax;
  #textsCut = 0;
  #valuesLeft = 0;
  #namesLeft = 0;

  constructor(names: Names) {
    this.#names = names;
  }

  notes(): string[] {
    return [
      ...(this.#valuesLeft > 0 ? [`Left out: ${this.#valuesLeft} values of properties.`] : []),
      ...(this.#namesLeft > 0 ? [`Left out: ${this.#namesLeft} other names.`] : []),
      ...(this.#textsCut > 0
        ? [`${this.#textsCut} long texts are cut at ${textCharsMax} characters.`]
        : []),
    ];
  }

  entity(node: Node): EntityAnswer[] {
    const { thing, facts } = node;
    const names = this.#names.otherNamesOf(thing);
    const aliases = names.slice(0, aliasesMax);
    this.#namesLeft += names.length - aliases.length;
    const types = facts.flatMap(({ object }) =>
      object === null ? [] : [this.#names.nameOf(object)],
    );
    const values = this.#fitting(facts.filter(({ object }) => object === null));
    const qualified = values.filter(({ qualifiers }) => qualifiers !== null);
    return this.#fits({
      name: this.#names.nameOf(thing.id),
      ...(aliases.length > 0 ? { aliases } : {}),
      types: [...new Set(types)],
      properties: this.#byPredicate(values, (fact) => this.#value(fact)),
      ...(qualified.length > 0
        ? {
            qualifiers: this.#byPredicate(qualified, (fact) => JSON.parse(fact.qualifiers ?? '{}')),
          }
        : {}),
      source: facts.length > 0 ? placesOf(facts) : placeOf(node.place),
    });
  }

  relation({ fact, subject, object, sources }: MergedLink): RelationAnswer[] {
    return this.#fits({
      subject: this.#names.nameOf(subject.id),
      predicate: this.#names.nameOf(fact.predicate),
      object: this.#names.nameOf(object.id),
      source: [...new Set(sources)].join(', '),
      ...(fact.qualifiers === null ? {} : { qualifiers: JSON.parse(fact.qualifiers) }),
    });
  }

  /** The first values, which are those that the query asks for, as far as there is room. */
  #fitting(values: readonly FactRow[]): readonly FactRow[] {
    let chars = 0;
    const fit = values.findIndex(({ literal, qualifiers }) => {
      chars += Math.min(literal?.length ?? 0, textCharsMax) + (qualifiers?.length ?? 0);
      return chars > entityCharsMax;
    });
    if (fit < 0) return values;
    this.#valuesLeft += values.length - fit;
    return values.slice(0, fit);
  }

  #fits<Part>(part: Part): Part[] {
    const size = JSON.stringify(part, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    if (size.length > this.#room) return [];
    this.#room -= size.length;
    return [part];
  }

  #byPredicate(
    facts: readonly FactRow[],
    read: (fact: FactRow) => unknown,
  ): Record<string, unknown> {
    const byName = Map.groupBy(facts, ({ predicate }) => this.#names.nameOf(predicate));
    return Object.fromEntries(
      [...byName].map(([name, group]) => {
        const distinct = new Map(
          group.map((fact) => [`${fact.literal}\n${fact.qualifiers}`, fact]),
        );
        const values = [...distinct.values()].map(read);
        return [name, values.length === 1 ? values[0] : values];
      }),
    );
  }

  #value({ literal, datatype }: FactRow): unknown {
    const text = literal ?? '';
    const value = numeric.has(datatype ?? '') ? numberOf(text) : undefined;
    if (value !== undefined) return value;
    if (datatype === 'boolean') return text === 'true' || text === '1';
    if (text.length <= textCharsMax) return text;
    this.#textsCut++;
    return `${text.slice(0, textCharsMax)}…`;
  }
}

const numeric: ReadonlySet<string> = new Set(
  (
    'integer int long short byte nonNegativeInteger positiveInteger nonPositiveInteger ' +
    'negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte decimal double float'
  ).split(' '),
);

/** A number that says what the text says; undefined where a host's number cannot. */
function numberOf(text: string): number | bigint | undefined {
  if (/^[+-]?\d+$/.test(text)) {
    const small = Number(text);
    return Number.isSafeInteger(small) ? small : BigInt(text);
  }
  const digits = text.replace(/e.*$/is, '').replace(/[^\d]/g, '').replace(/^0+/, '');
  const value = Number(text);
  return Number.isFinite(value) && digits.length <= 15 ? value : undefined;
}

/** `a.csv:2-4, b.ttl:7` */
function placesOf(facts: readonly FactRow[]): string {
  const byDocument = Map.groupBy(facts, ({ document }) => document);
  const places = [...byDocument].map(([document, group]) => {
    const lines = [...new Set(group.map(({ line }) => line))].sort((a, b) => a - b);
    const ranges: [number, number][] = [];
    for (const line of lines) {
      const last = ranges.at(-1);
      if (last && last[1] === line - 1) last[1] = line;
      else ranges.push([line, line]);
    }
    const shown = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
    return `${document}:${shown.join(',')}`;
  });
  return places.sort().join(', ');
}
