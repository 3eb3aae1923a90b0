/**
 * The knowledge graph as RDF: each fact in the graph of its document, so that a query can ask where
 * it is from. A plain name is the IRI that alone is labelled so, as everywhere in retrieval, or
 * else one of its own under `urn:kg:`.
 */
import { refusal } from '../../engine/handler.ts';
import type { FactRow } from './graph.ts';
import type { Knowledge } from './knowledge.ts';
import { Names } from './names.ts';

type Fact = Omit<FactRow, 'id' | 'line' | 'score'>;

interface LabelRow {
  readonly document: string;
  readonly entity: number;
  readonly text: string;
  readonly language: string;
  readonly is_alias: number;
}

/** Lines of N-Quads. Throws `EffectFailure` PV4322. */
export function* nquads(knowledge: Knowledge, factsMax: number): Generator<string> {
  refuseSize(knowledge, factsMax);
  const term = termsOf(knowledge);
  for (const row of knowledge.each<Fact>(factQuery)) {
    const object = row.object === null ? literalOf(row) : term(row.object);
    yield `${term(row.subject)} ${term(row.predicate)} ${object} ${documentIri(row.document)} .\n`;
  }
  for (const { document, entity, text, language, is_alias: isAlias } of knowledge.each<LabelRow>(
    labelQuery,
  )) {
    const predicate = isAlias ? altLabel : label;
    const object = quoted(text) + tagOf(language);
    yield `${term(entity)} ${predicate} ${object} ${documentIri(document)} .\n`;
  }
  // What has no label is called by the name that it goes by.
  for (const { id, name } of knowledge.each<{ id: number; name: string }>(plainQuery)) {
    const own = term(id);
    if (own.startsWith('<urn:kg:')) yield `${own} ${label} ${quoted(name)} .\n`;
  }
}

const factQuery =
  'SELECT d.name AS document, subject, predicate, object, literal, datatype, qualifiers ' +
  'FROM facts f JOIN documents d ON d.id = f.document ORDER BY f.id';
const labelQuery =
  'SELECT d.name AS document, entity, text, language, is_alias ' +
  'FROM labels l JOIN documents d ON d.id = l.document ORDER BY l.id';
const plainQuery = "SELECT id, name FROM entities WHERE kind = 'plain' ORDER BY id";

const label = '<http://www.w3.org/2000/01/rdf-schema#label>';
const altLabel = '<http://www.w3.org/2004/02/skos/core#altLabel>';

function refuseSize(knowledge: Knowledge, most: number): void {
  const count = knowledge.get<{ count: number }>('SELECT count(*) AS count FROM facts')?.count ?? 0;
  if (count > 0 && count <= most) return;
  const message =
    count === 0
      ? `the knowledge base at ${knowledge.path} holds no facts`
      : `the knowledge graph has ${count} facts, want at most ${most}`;
  throw refusal('PV4322', message, {
    hint:
      count === 0
        ? 'load some: planvm ingest FILE.ttl, or tables with subject, predicate, object'
        : 'use retrieve_knowledge_graph, which looks at the surroundings of what a query names',
  });
}

/** How an entity is written, by its id. */
function termsOf(knowledge: Knowledge): (id: number) => string {
  const names = new Names(knowledge);
  const written = new Map<number, string>();
  const byId = 'SELECT kind, key FROM entities WHERE id = ?';
  return (id) => {
    let term = written.get(id);
    if (term === undefined) {
      const thing = names.thingOf(id).id;
      const row = knowledge.get<{ kind: string; key: string }>(byId, thing);
      const { kind = 'plain', key = '' } = row ?? {};
      if (kind === 'iri') term = `<${key}>`;
      else if (kind === 'blank') term = `_:b${thing}`;
      else term = `<urn:kg:${iriPart(key)}>`;
      written.set(id, term);
    }
    return term;
  };
}

const documentIri = (name: string): string => `<urn:kg:document/${iriPart(name)}>`;

/** Letters of all languages stand for themselves in IRIs. */
const iriPart = (name: string): string =>
  name
    .replaceAll(' ', '_')
    .replace(/[^\p{L}\p{N}_.~/-]/gu, (sign) => encodeURIComponent(sign).replace(/['()*!]/g, ''));

function literalOf({ literal, datatype, qualifiers }: Fact): string {
  const { language } = JSON.parse(qualifiers ?? '{}') as { language?: string };
  const text = quoted(literal ?? '');
  if (language !== undefined && datatype === 'langString') return text + tagOf(language);
  if (language !== undefined && tagOf(language) !== '') return text + tagOf(language);
  if (datatype === null || datatype === 'string') return text;
  const iri = datatype.includes(':') ? datatype : `http://www.w3.org/2001/XMLSchema#${datatype}`;
  return `${text}^^<${iri}>`;
}

const tagOf = (language: string): string =>
  /^[a-z]{1,8}(-[a-z\d]{1,8})*$/i.test(language) ? `@${language}` : '';

const escapes: Readonly<Record<string, string>> = {
  ...{ '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r' },
};

const quoted = (text: string): string =>
  `"${text.replace(/["\\\n\r]/g, (sign) => escapes[sign] ?? sign)}"`;
