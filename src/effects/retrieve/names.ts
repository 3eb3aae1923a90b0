/**
 * From words to entities: which entities a query names, which entities are one and the same, and
 * what they are called.
 */
import type { Knowledge } from './knowledge.ts';
import { anyOf, capitals, functionWords, wordsOf } from './words.ts';

/**
 * One thing of the world: an entity together with the plain names in other files that mean it. A
 * plain name means an IRI when that IRI alone is labelled so.
 */
export interface Thing {
  /** The entity that stands for the whole; an IRI where there is one. */
  readonly id: number;
  readonly ids: readonly number[];
}

/** Words of a query in which names are looked for. */
export const namedWordsMax = 2_000;
const nameWordsMax = 8;

/** Looks up things, remembering them for the time of one query. */
export class Names {
  readonly #knowledge: Knowledge;
  readonly #things = new Map<number, Thing>();
  readonly #names = new Map<number, string>();

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  thingOf(entity: number): Thing {
    const known = this.#things.get(entity);
    if (known) return known;
    const thing = this.#join(entity);
    for (const id of thing.ids) this.#things.set(id, thing);
    return thing;
  }

  /** The label of an entity, in English where it has several; else the name of its key. */
  nameOf(entity: number): string {
    let name = this.#names.get(entity);
    if (name === undefined) {
      name = this.#knowledge.get<{ name: string }>(nameQuery, entity)?.name ?? '';
      this.#names.set(entity, name);
    }
    return name;
  }

  /** Every other name of a thing, sorted. */
  otherNamesOf({ id, ids }: Thing): string[] {
    const rows = ids.flatMap((each) =>
      this.#knowledge.all<{ text: string }>('SELECT text FROM labels WHERE entity = ?', each),
    );
    const name = this.nameOf(id);
    return [...new Set(rows.map(({ text }) => text))].filter((text) => text !== name).sort();
  }

  #join(entity: number): Thing {
    const alone = { id: entity, ids: [entity] };
    const row = this.#knowledge.get<{ kind: string; key: string }>(
      'SELECT kind, name_key AS key FROM entities WHERE id = ?',
      entity,
    );
    if (row?.kind === 'plain') {
      const iri = this.#iriCalled(row.key);
      return iri === undefined ? alone : this.thingOf(iri);
    }
    if (row?.kind !== 'iri') return alone;
    const plain = this.#knowledge
      .all<{ id: number; key: string }>(plainQuery, entity)
      .filter(({ key }) => this.#iriCalled(key) === entity);
    return { id: entity, ids: [entity, ...plain.map(({ id }) => id)] };
  }

  /** The IRI that has this name, if exactly one has. */
  #iriCalled(key: string): number | undefined {
    const [first, second] = this.#knowledge.all<{ id: number }>(iriQuery, key);
    return second === undefined ? first?.id : undefined;
  }
}

const nameQuery = `
  SELECT coalesce(
    (SELECT text FROM labels WHERE entity = e.id AND is_alias = 0
     ORDER BY CASE WHEN language = '' THEN 0 WHEN language LIKE 'en%' THEN 1 ELSE 2 END,
       language, text LIMIT 1),
    e.name) AS name
  FROM entities e WHERE e.id = ?`;

const plainQuery = `
  SELECT DISTINCT p.id, p.name_key AS key FROM entities p
  JOIN (SELECT name_key FROM entities WHERE id = ?1
        UNION SELECT name_key FROM labels WHERE entity = ?1 AND is_alias = 0) n
    ON p.name_key = n.name_key
  WHERE p.kind = 'plain' ORDER BY p.id`;

const isThing = '(e.is_node OR e.is_class OR NOT e.is_predicate)';

const iriQuery = `
  SELECT e.id FROM entities e WHERE e.name_key = ?1 AND e.kind = 'iri' AND ${isThing}
  UNION
  SELECT e.id FROM labels l JOIN entities e ON e.id = l.entity
  WHERE l.name_key = ?1 AND l.is_alias = 0 AND e.kind = 'iri' AND ${isThing}
  LIMIT 2`;

interface Candidate {
  readonly id: number;
  readonly key: string;
  readonly isClass: number;
}

/** Both halves walk the names of the query, each found by an index, however many entities exist. */
const candidateQuery = `
  SELECT e.id, e.name_key AS key, e.is_class AS isClass
  FROM json_each(?1) g CROSS JOIN entities e ON e.name_key = g.value WHERE ${isThing}
  UNION
  SELECT e.id, l.name_key, e.is_class
  FROM json_each(?1) g CROSS JOIN labels l ON l.name_key = g.value
  JOIN entities e ON e.id = l.entity WHERE ${isThing}
  ORDER BY 2, 1`;

/**
 * The things a query names, in its order; the longest name wins where several begin. Names of
 * classes (*country*) count only where nothing else is named.
 */
export function mentioned(knowledge: Knowledge, names: Names, query: string): Thing[] {
  const words = wordsOf(query).slice(0, namedWordsMax);
  const spans = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    for (let size = 1; size <= Math.min(nameWordsMax, words.length - at); size++) {
      spans.add(words.slice(at, at + size).join(' '));
    }
  }
  const candidates = knowledge.all<Candidate>(candidateQuery, JSON.stringify([...spans]));
  const single = candidates.filter(({ isClass }) => !isClass);
  const found = matches(words, capitals(query), single);
  return things(names, found.length > 0 ? found : matches(words, capitals(query), candidates));
}

function matches(
  words: readonly string[],
  inCapitals: readonly boolean[],
  candidates: readonly Candidate[],
): Candidate[] {
  const byKey = Map.groupBy(candidates, ({ key }) => key);
  const found: Candidate[] = [];
  for (let at = 0; at < words.length; at++) {
    for (let size = Math.min(nameWordsMax, words.length - at); size > 0; size--) {
      const key = words.slice(at, at + size).join(' ');
      // `it` and `us` are words, `IT` and `US` may be names.
      if (size === 1 && functionWords.has(key) && !inCapitals[at]) continue;
      const named = byKey.get(key);
      if (!named) continue;
      found.push(...named);
      at += size - 1;
      break;
    }
  }
  return found;
}

/** Things whose names share words with a query, best first. */
export function nearest(
  knowledge: Knowledge,
  names: Names,
  words: readonly string[],
  limit: number,
): Thing[] {
  if (words.length === 0) return [];
  const rows = knowledge.all<{ id: number }>(
    'SELECT e.id, bm25(entity_words) AS rank FROM entity_words w ' +
      `JOIN entities e ON e.id = w.rowid WHERE entity_words MATCH ? AND ${isThing} ` +
      'ORDER BY rank, e.key LIMIT ?',
    anyOf(words),
    limit,
  );
  return things(names, rows);
}

/** Predicates whose names share words with a query, with how well they fit. */
export function predicatesLike(
  knowledge: Knowledge,
  words: readonly string[],
  limit: number,
): Map<number, number> {
  if (words.length === 0) return new Map();
  const rows = knowledge.all<{ id: number; score: number }>(
    'SELECT e.id, -bm25(entity_words) AS score FROM entity_words w ' +
      'JOIN entities e ON e.id = w.rowid WHERE entity_words MATCH ? AND e.is_predicate ' +
      'ORDER BY score DESC, e.key LIMIT ?',
    anyOf(words),
    limit,
  );
  return new Map(rows.map(({ id, score }) => [id, score]));
}

function things(names: Names, entities: readonly { id: number }[]): Thing[] {
  const found = new Map<number, Thing>();
  for (const { id } of entities) {
    const thing = names.thingOf(id);
    found.set(thing.id, thing);
  }
  return [...found.values()];
}
