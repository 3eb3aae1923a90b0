/**
 * What a loader reads out of one file: pieces of text to search, and facts. Lines count from 1.
 */

export interface Content {
  /** Empty where the file names none. */
  readonly title: string;
  /** Front matter: words that describe the whole file. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Made while they are read, by loaders of rows: see `madeAnew`. */
  readonly chunks: Iterable<Chunk>;
  readonly facts: Iterable<Fact>;
}

/**
 * Items that are made again for each reader, so that nobody holds all of them: those of a file may
 * take a hundred times its size.
 */
export const madeAnew = <Item>(make: () => Iterator<Item>): Iterable<Item> => ({
  [Symbol.iterator]: make,
});

export interface Chunk {
  /** Headings from the outermost inwards, joined by ` > `; empty outside any. */
  readonly heading: string;
  readonly text: string;
  readonly lines: readonly [first: number, last: number];
}

export interface Fact {
  readonly subject: Entity;
  readonly predicate: Entity;
  readonly object: Entity | Literal;
  readonly line: number;
  /** What the source says about the fact itself: where it is from, as of when. */
  readonly qualifiers: Readonly<Record<string, string>>;
}

export interface Entity {
  readonly kind: 'iri' | 'blank' | 'plain';
  /** The IRI, the number of the blank node in its file, or the folded name. */
  readonly key: string;
  readonly name: string;
}

export interface Literal {
  readonly kind: 'literal';
  readonly text: string;
  /** `string`, `integer`, `decimal`, …: the local name in XML Schema, or another IRI in full. */
  readonly datatype: string;
  /** Tag of a text in a named language, in lower case; else empty. */
  readonly language: string;
}

export const emptyContent: Content = { title: '', metadata: {}, chunks: [], facts: [] };
