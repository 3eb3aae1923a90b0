/** Queries in SPARQL over the facts of a knowledge base. Runs apart: see `sparql.ts`. */
import { statSync } from 'node:fs';
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { memberOf } from '../foreign-json.ts';
import { importOptional } from '../optional-package.ts';
import { type Knowledge, openKnowledge } from './knowledge.ts';
import { nquads } from './rdf.ts';
import { perRow, prefixes, sparqlLimits } from './sparql-spec.ts';

type Oxigraph = typeof import('oxigraph');
type Store = InstanceType<Oxigraph['Store']>;

export interface GraphResult {
  readonly value: unknown;
  readonly warnings: readonly string[];
}

/**
 * A knowledge base as a graph in memory. Owns the graph, and the connection that tells whether the
 * file has changed since: then the graph is loaded anew, by the next query.
 */
export class Graph {
  readonly path: string;
  /** More are not loaded. */
  readonly factsMax: number;
  readonly #oxigraph: Oxigraph;
  readonly #knowledge: Knowledge;
  /** Which file it is, where another has taken its place. */
  readonly #file: string;
  #loaded: { readonly store: Store; readonly version: string } | undefined;
  #loads = 0;

  /** Throws `EffectFailure` PV4300 to PV4303, and that of a missing package. */
  static async open(path: string, factsMax: number = sparqlLimits.facts): Promise<Graph> {
    const oxigraph = await importOptional<typeof import('oxigraph')>('oxigraph');
    return new Graph(path, factsMax, oxigraph, openKnowledge(path, { mustExist: true }));
  }

  private constructor(path: string, factsMax: number, oxigraph: Oxigraph, knowledge: Knowledge) {
    this.path = path;
    this.factsMax = factsMax;
    this.#oxigraph = oxigraph;
    this.#knowledge = knowledge;
    this.#file = identityOf(path);
  }

  /** Throws `EffectFailure` PV4320 to PV4322. */
  ask(query: string, rowsMax: number = sparqlLimits.rows): GraphResult {
    const store = this.#store();
    const whole = withPrefixes(query);
    let found: unknown;
    try {
      found = store.query(whole, { use_default_graph_as_union: true });
    } catch (thrown) {
      throw wrong(thrown, whole, store);
    }
    const value = valueOfResult(found, rowsMax);
    const isEmpty = value === false || (Array.isArray(value) && value.length === 0);
    return { value, warnings: isEmpty ? [`nothing fits; the graph has ${vocabulary(store)}`] : [] };
  }

  /** How often it has been read from its file. */
  get loads(): number {
    return this.#loads;
  }

  /** Whether its file is not there any more, or is another one. */
  isGone(): boolean {
    return identityOf(this.path) !== this.#file;
  }

  close(): void {
    this.#loaded = undefined;
    this.#knowledge.close();
  }

  #store(): Store {
    // Before it is read: what is written meanwhile is found by the next query at the latest.
    const { version } = this.#knowledge;
    if (this.#loaded?.version === version) return this.#loaded.store;
    this.#loaded = undefined;
    const store = new this.#oxigraph.Store();
    this.#knowledge.read(() => {
      const format = 'application/n-quads';
      const lines = [...nquads(this.#knowledge, this.factsMax)];
      store.load(lines, { format, lenient: true, no_transaction: true });
    });
    this.#loaded = { store, version };
    this.#loads++;
    return store;
  }
}

function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}.${found.ino}`;
}

const declared = /\bPREFIX\s+([\w.-]*):\s*<([^<>]*)>/gi;

/** The prefixes that are not declared, in a line of their own. */
function withPrefixes(query: string): string {
  const own = new Set([...query.matchAll(declared)].map(([, name]) => name));
  const added = Object.entries(prefixes).filter(([name]) => !own.has(name));
  return `${added.map(([name, iri]) => `PREFIX ${name}: <${iri}>`).join(' ')}\n${query}`;
}

interface Term {
  readonly termType: string;
  readonly value: string;
  readonly datatype?: { readonly value: string };
}

function valueOfResult(found: unknown, rowsMax: number): unknown {
  if (!Array.isArray(found)) return found;
  if (found.length > rowsMax) throw tooLarge(`${rowsMax} rows`);
  const rows = found.map((row): Record<string, unknown> => {
    if (row instanceof Map) {
      const pairs = [...(row as Map<string, Term>)].map(([name, term]) => [
        name,
        valueOfTerm(term),
      ]);
      return Object.fromEntries(pairs);
    }
    const { subject, predicate, object } = row as Readonly<Record<string, Term>>;
    return {
      subject: valueOfTerm(subject),
      predicate: valueOfTerm(predicate),
      object: valueOfTerm(object),
    };
  });
  return complete(rows, rowsMax);
}

/** A variable that a row leaves open is null there, as long as any row has it. */
function complete(
  rows: readonly Record<string, unknown>[],
  rowsMax: number,
): Record<string, unknown>[] {
  const most = { cells: rowsMax * perRow.cells, characters: rowsMax * perRow.characters };
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (rows.length * names.length > most.cells) throw tooLarge(`${most.cells} cells`);
  let characters = 0;
  return rows.map((row) => {
    const whole = names.map((name) => [name, memberOf(row, name) ?? null] as const);
    for (const [, value] of whole) characters += typeof value === 'string' ? value.length : 8;
    if (characters > most.characters) throw tooLarge(`${most.characters} characters`);
    return Object.fromEntries(whole);
  });
}

const xsd = 'http://www.w3.org/2001/XMLSchema#';

function valueOfTerm(term: Term | undefined): unknown {
  if (term === undefined) return null;
  if (term.termType === 'BlankNode') return `_:${term.value}`;
  if (term.termType !== 'Literal') return term.value;
  const { value, datatype } = term;
  const type = datatype?.value.startsWith(xsd) ? datatype.value.slice(xsd.length) : '';
  if (type === 'boolean') return value === 'true' || value === '1';
  if (/^[+-]?\d+$/.test(value) && /integer|int|long|short|byte|Integer/.test(type)) {
    return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
  }
  const isNumber = ['decimal', 'double', 'float'].includes(type);
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : value;
}

const tooLarge = (most: string): EffectFailure =>
  refusal('PV4321', `the result has more than ${most}`, {
    hint: 'add LIMIT, or let SPARQL count and group',
  });

function wrong(thrown: unknown, query: string, store: Store): unknown {
  // What the host or the library has no room for is no fault of the query.
  if (thrown instanceof RangeError || !(thrown instanceof Error)) return thrown;
  if (thrown.name === 'RuntimeError') return thrown;
  const isUpdate = updates.test(
    query.replace(declared, ' ').replace(/^[^\S\r\n\u2028\u2029]*#[^\n]*/gm, ''),
  );
  const message = isUpdate
    ? 'the query would change the graph: want SELECT, ASK, CONSTRUCT or DESCRIBE'
    : problemOf(thrown.message);
  return refusal('PV4320', message, {
    hint: `prefixes: ${Object.keys(prefixes).join(', ')}; the graph has ${vocabulary(store)}`,
  });
}

const updates = /^\s*(INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY|WITH)\b/i;

/** Of a parser that lists every sign it would have taken, the place. */
function problemOf(message: string): string {
  const [, line = '', column = '', rest = ''] =
    /^error at (\d+):(\d+): ([\s\S]*)$/.exec(message) ?? [];
  if (line === '') return message.slice(0, 300);
  const where = `the query is wrong at ${Number(line) - 1}:${column}`;
  return rest.length < 80 ? `${where}: ${rest}` : where;
}

/** How many names of a graph a hint lists. */
const namesMax = 20;

function vocabulary(store: Store): string {
  const listed = (pattern: string): string => {
    const query = `SELECT ?x (COUNT(*) AS ?n) { ${pattern} } GROUP BY ?x ORDER BY DESC(?n) ?x`;
    const rows = store.query(`${query} LIMIT ${namesMax}`, { use_default_graph_as_union: true });
    const terms = (rows as Map<string, Term>[]).map((row) => row.get('x')?.value ?? '');
    return terms.map(shortened).join(', ');
  };
  const classes = listed('?s a ?x');
  const of = classes === '' ? '' : `; things of ${classes}`;
  return `the predicates ${listed('?s ?x ?o')}${of}`;
}

function shortened(iri: string): string {
  const known = Object.entries(prefixes).find(([, start]) => iri.startsWith(start));
  const rest = known ? iri.slice(known[1].length) : '';
  return known && /^[\p{L}\p{N}_-]+$/u.test(rest) ? `${known[0]}:${rest}` : `<${iri}>`;
}
