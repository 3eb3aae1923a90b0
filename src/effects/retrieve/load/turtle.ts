/**
 * Turtle, and N-Triples, which is a part of it: every triple becomes a fact, with the line that
 * states it. Lists become one fact per element.
 */
import { DataFactory, Parser, type Term } from 'n3';
import { Malformed } from '../../malformed.ts';
import type { Literal } from '../content.ts';
import { type Content, type Entity, emptyContent, type Fact } from '../content.ts';
import { iriEntity } from '../vocabulary.ts';

const xsd = 'http://www.w3.org/2001/XMLSchema#';
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** Also a term: RDF-star has triples about triples. */
interface Triple extends Term {
  readonly subject: Term;
  readonly predicate: Term;
  readonly object: Term;
  readonly line: number;
}

/** `base` resolves relative IRIs. Throws `Malformed`. */
export function loadTurtle(text: string, base: string): Content {
  const triples = parse(text, base);
  const lists = listsOf(triples);
  const nodes = new Map<string, Entity>();
  const facts: Fact[] = [];
  for (const { subject, predicate, object, line } of triples) {
    if (isListPart(predicate)) continue;
    for (const item of lists.get(object.value) ?? [object]) {
      facts.push({
        subject: entityOf(subject, nodes, line),
        predicate: entityOf(predicate, nodes, line),
        object: item.termType === 'Literal' ? literalOf(item) : entityOf(item, nodes, line),
        line,
        qualifiers: {},
      });
    }
  }
  return { ...emptyContent, facts };
}

function parse(text: string, base: string): Triple[] {
  const triples: Triple[] = [];
  let line = 1;
  const factory = {
    ...DataFactory,
    quad(subject: Term, predicate: Term, object: Term): Triple {
      return { termType: 'Quad', value: '', subject, predicate, object, line };
    },
  };
  const parser = new Parser({ format: 'Turtle', baseIRI: base, factory });
  try {
    // A triple is complete at the mark that follows it, which may stand on a later line.
    const onToken = ({ type, line: at }: { type: string; line: number }): void => {
      if (!/^[.;,\])]$/.test(type)) line = at;
    };
    triples.push(...(parser.parse(text, { onToken }) as Triple[]));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const context =
      'context' in error ? (error.context as { line?: number } | undefined) : undefined;
    const message = error.message.replace(/ on line \d+\.$/, '');
    throw new Malformed(message, context?.line ?? line);
  }
  return triples;
}

const isListPart = (predicate: Term): boolean =>
  predicate.value === `${rdf}first` || predicate.value === `${rdf}rest`;

/** The elements of each list, by the name of the blank node that begins it. */
function listsOf(triples: readonly Triple[]): Map<string, Term[]> {
  const first = new Map<string, Term>();
  const rest = new Map<string, string>();
  for (const { subject, predicate, object } of triples) {
    if (predicate.value === `${rdf}first`) first.set(subject.value, object);
    if (predicate.value === `${rdf}rest`) rest.set(subject.value, object.value);
  }
  const inner = new Set(rest.values());
  const lists = new Map<string, Term[]>([[`${rdf}nil`, []]]);
  for (const head of first.keys()) {
    if (inner.has(head)) continue;
    const items: Term[] = [];
    let node: string | undefined = head;
    for (
      const seen = new Set<string>();
      node !== undefined && !seen.has(node);
      node = rest.get(node)
    ) {
      seen.add(node);
      const item = first.get(node);
      if (item) items.push(item);
    }
    lists.set(head, items);
  }
  return lists;
}

function entityOf(term: Term, nodes: Map<string, Entity>, line: number): Entity {
  if (term.termType === 'NamedNode') return iriEntity(term.value);
  if (term.termType !== 'BlankNode') {
    const got = term.termType === 'Quad' ? 'triple about a triple' : term.termType;
    throw new Malformed(`got a ${got}, want an IRI, a blank node or a literal`, line);
  }
  let node = nodes.get(term.value);
  if (!node) {
    // The parser's own names differ from one run to the next.
    const number = String(nodes.size + 1);
    node = { kind: 'blank', key: number, name: number };
    nodes.set(term.value, node);
  }
  return node;
}

function literalOf(term: Term): Literal {
  const datatype = term.datatype?.value ?? `${xsd}string`;
  const isText = datatype === `${rdf}langString` || datatype === `${rdf}dirLangString`;
  const local = datatype.startsWith(xsd) ? datatype.slice(xsd.length) : datatype;
  return {
    kind: 'literal',
    text: term.value,
    datatype: isText ? 'string' : local,
    language: term.language ?? '',
  };
}
