/**
 * What the facts say about the things a query names: the things themselves and their neighbours, to
 * a depth, nearest first and bounded.
 */
import type { Knowledge } from './knowledge.ts';
import { mentioned, type Names, nearest, predicatesLike, type Thing } from './names.ts';
import { typeIri } from './vocabulary.ts';
import { termsOf } from './words.ts';

export interface Subgraph {
  /** How the first things were found; `nothing` when none was. */
  readonly by: 'name' | 'word' | 'predicate' | 'nothing';
  readonly nodes: readonly Node[];
  /** Facts that link a thing with another, the best first. */
  readonly links: readonly Link[];
  /** How much was met and not taken. */
  readonly left: { readonly entities: number; readonly facts: number };
}

export interface Node {
  readonly thing: Thing;
  /** Links from the nearest thing that the query names. */
  readonly distance: number;
  /** What is said about the thing by value: literals and types. */
  readonly facts: readonly FactRow[];
  /** Where the thing is met, for one of which nothing is said. */
  readonly place: Place;
}

export interface Place {
  readonly document: string;
  readonly line: number;
}

export interface Link {
  readonly fact: FactRow;
  readonly subject: Thing;
  readonly object: Thing;
  readonly distance: number;
}

export interface FactRow extends Place {
  readonly id: number;
  readonly subject: number;
  readonly predicate: number;
  readonly object: number | null;
  readonly literal: string | null;
  readonly datatype: string | null;
  readonly qualifiers: string | null;
  /** How well the predicate fits the words of the query; 0 when it shares none. */
  readonly score: number;
}

export const graphLimits = {
  /** Entities in one answer. */
  entities: 50,
  /** Facts looked at per entity and direction. */
  facts: 1_000,
  /** Entities taken where the query names none exactly. */
  nearest: 10,
  /** Predicates that can fit a query, and words of it that they are compared with. */
  predicates: 100,
  words: 256,
} as const;

export function explore(
  knowledge: Knowledge,
  names: Names,
  query: string,
  depth: number,
): Subgraph {
  const { words } = termsOf(query, graphLimits.words);
  const walk = new Walk(knowledge, names, predicatesLike(knowledge, words, graphLimits.predicates));
  const named = mentioned(knowledge, names, query);
  if (named.length > 0) return walk.from(named, depth, 'name');
  const near = nearest(knowledge, names, words, graphLimits.nearest);
  if (near.length > 0) return walk.from(near, depth, 'word');
  const subjects = walk.subjectsOfPredicates();
  return walk.from(subjects, depth, subjects.length > 0 ? 'predicate' : 'nothing');
}

/** One walk through the facts; owns what it has seen. */
class Walk {
  readonly #knowledge: Knowledge;
  readonly #names: Names;
  readonly #predicates: ReadonlyMap<number, number>;
  readonly #predicateIds: string;
  readonly #type: number;
  readonly #distances = new Map<number, number>();
  readonly #nodes: { thing: Thing; distance: number }[] = [];
  readonly #links = new Map<number, Link>();
  readonly #missed = new Set<number>();
  readonly #read = new Map<string, readonly FactRow[]>();
  #factsLeft = 0;

  constructor(knowledge: Knowledge, names: Names, predicates: ReadonlyMap<number, number>) {
    this.#knowledge = knowledge;
    this.#names = names;
    this.#predicates = predicates;
    this.#predicateIds = JSON.stringify([...predicates.keys()]);
    const type = knowledge.get<{ id: number }>('SELECT id FROM entities WHERE key = ?', typeIri);
    this.#type = type?.id ?? 0;
  }

  from(start: readonly Thing[], depth: number, by: Subgraph['by']): Subgraph {
    this.#take(start, 0);
    // At depth 0 the links are those among the things themselves.
    for (let distance = 0; distance < Math.max(depth, 1); distance++) {
      const ring = this.#nodes.filter((node) => node.distance === distance);
      const next = ring.flatMap(({ thing }) => this.#neighbours(thing, distance));
      if (distance < depth) this.#take(this.#ranked(next), distance + 1);
    }
    const links = [...this.#links.values()]
      .filter(
        ({ subject, object }) =>
          depth > 0 || (this.#distances.has(subject.id) && this.#distances.has(object.id)),
      )
      .sort((a, b) => this.#order(a, b));
    const placed = new Map<number, Place>();
    for (const { fact, subject, object } of links.toReversed()) {
      placed.set(subject.id, fact).set(object.id, fact);
    }
    return {
      by,
      nodes: this.#nodes.map((node) => ({
        ...node,
        facts: this.#valuesOf(node.thing),
        place: placed.get(node.thing.id) ?? this.#placeOf(node.thing),
      })),
      links,
      left: { entities: this.#missed.size, facts: this.#factsLeft },
    };
  }

  /** The things that predicates fitting the query say something about. */
  subjectsOfPredicates(): Thing[] {
    const rows = this.#knowledge.all<{ subject: number; predicate: number }>(
      'SELECT DISTINCT f.subject, f.predicate FROM json_each(?) p ' +
        'CROSS JOIN facts f ON f.predicate = p.value LIMIT ?',
      ...[this.#predicateIds, graphLimits.facts],
    );
    return this.#ranked(
      rows.map(({ subject, predicate }) => ({
        thing: this.#names.thingOf(subject),
        score: this.#predicates.get(predicate) ?? 0,
      })),
    );
  }

  #take(things: readonly Thing[], distance: number): void {
    for (const thing of things) {
      if (this.#distances.has(thing.id)) continue;
      if (this.#nodes.length >= graphLimits.entities) this.#missed.add(thing.id);
      else {
        this.#distances.set(thing.id, distance);
        this.#nodes.push({ thing, distance });
      }
    }
  }

  /** Records the links of a thing and gives their other ends. */
  #neighbours(thing: Thing, distance: number): { thing: Thing; score: number }[] {
    const facts = thing.ids.flatMap((id) => [
      // From a thing its class is no neighbour: the class would lead to all its other members.
      ...this.#facts('subject', id).filter((fact) => fact.predicate !== this.#type),
      ...this.#facts('object', id),
    ]);
    return facts.flatMap((fact) => {
      if (fact.object === null) return [];
      const subject = this.#names.thingOf(fact.subject);
      const object = this.#names.thingOf(fact.object);
      if (fact.predicate !== this.#type && !this.#links.has(fact.id)) {
        this.#links.set(fact.id, { fact, subject, object, distance });
      }
      return [{ thing: subject.id === thing.id ? object : subject, score: fact.score }];
    });
  }

  /** Each thing once, those reached by the best predicates first. */
  #ranked(reached: readonly { thing: Thing; score: number }[]): Thing[] {
    const best = new Map<number, { thing: Thing; score: number }>();
    for (const each of reached) {
      const known = best.get(each.thing.id);
      if (!known || known.score < each.score) best.set(each.thing.id, each);
    }
    return [...best.values()]
      .sort((a, b) => b.score - a.score || this.#compare(a.thing.id, b.thing.id))
      .map(({ thing }) => thing);
  }

  #valuesOf(thing: Thing): FactRow[] {
    return thing.ids
      .flatMap((id) => this.#facts('subject', id))
      .filter((fact) => fact.object === null || fact.predicate === this.#type)
      .sort((a, b) => b.score - a.score || this.#compare(a.predicate, b.predicate) || place(a, b));
  }

  /** Of a thing without links: where it is stated to be one, or to be called so. */
  #placeOf({ id }: Thing): Place {
    const place = this.#knowledge.get<Place>(
      'SELECT d.name AS document, s.line FROM (SELECT * FROM ' +
        '(SELECT document, line FROM facts WHERE object = ?1 LIMIT 1) UNION ALL SELECT * FROM ' +
        '(SELECT document, line FROM labels WHERE entity = ?1 LIMIT 1)) s ' +
        'JOIN documents d ON d.id = s.document LIMIT 1',
      id,
    );
    return place ?? { document: '', line: 0 };
  }

  #facts(role: 'subject' | 'object', entity: number): readonly FactRow[] {
    const key = `${role} ${entity}`;
    let facts = this.#read.get(key);
    if (!facts) {
      facts = this.#readFacts(role, entity).map((row) => ({
        ...row,
        score: this.#predicates.get(row.predicate) ?? 0,
      }));
      this.#read.set(key, facts);
    }
    return facts;
  }

  /** Where there are too many, those whose predicates fit the query come first. */
  #readFacts(role: 'subject' | 'object', entity: number): Omit<FactRow, 'score'>[] {
    const limit = graphLimits.facts;
    const select =
      'SELECT f.id, d.name AS document, f.line, f.subject, f.predicate, f.object, f.literal, ' +
      'f.datatype, f.qualifiers FROM facts f JOIN documents d ON d.id = f.document ' +
      `WHERE f.${role} = ?`;
    const rows = this.#knowledge.all<FactRow>(`${select} LIMIT ?`, entity, limit + 1);
    if (rows.length <= limit) return rows;
    const fit = `${select} AND f.predicate IN (SELECT value FROM json_each(?)) LIMIT ?`;
    const fitting = this.#knowledge.all<FactRow>(fit, entity, this.#predicateIds, limit);
    const count = `SELECT count(*) AS count FROM facts WHERE ${role} = ?`;
    this.#factsLeft += (this.#knowledge.get<{ count: number }>(count, entity)?.count ?? 0) - limit;
    const distinct = new Map([...fitting, ...rows].map((row) => [row.id, row]));
    return [...distinct.values()].slice(0, limit);
  }

  #order(a: Link, b: Link): number {
    return (
      b.fact.score - a.fact.score ||
      a.distance - b.distance ||
      this.#compare(a.subject.id, b.subject.id) ||
      this.#compare(a.fact.predicate, b.fact.predicate) ||
      this.#compare(a.object.id, b.object.id)
    );
  }

  /** By name: never by the order in which files were loaded. */
  #compare(a: number, b: number): number {
    if (a === b) return 0;
    const [left, right] = [this.#names.nameOf(a), this.#names.nameOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
}

const place = (a: FactRow, b: FactRow): number =>
  a.document === b.document ? a.line - b.line || a.id - b.id : a.document < b.document ? -1 : 1;
