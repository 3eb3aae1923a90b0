/**
 * Documents in the knowledge base: written whole, replaced whole, removed whole. Everything here
 * runs inside a transaction of the caller.
 */
import type { Content, Entity, Fact, Literal } from './content.ts';
import type { Knowledge } from './knowledge.ts';
import { naming, typeIri } from './vocabulary.ts';
import { fold, nameKey } from './words.ts';

export interface DocumentRow {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly hash: string;
}

export interface NewDocument {
  readonly path: string;
  readonly name: string;
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
  readonly content: Content;
  /** One per chunk. */
  readonly vectors?: { readonly model: string; readonly values: readonly Float32Array[] };
}

export function findDocument(knowledge: Knowledge, path: string): DocumentRow | undefined {
  return knowledge.get<DocumentRow>(
    'SELECT id, path, name, hash FROM documents WHERE path = ?',
    path,
  );
}

/** What a document holds. */
export interface Sizes {
  readonly chunks: number;
  readonly facts: number;
}

/** Puts the document in the place of what was loaded from the same path before. */
export function writeDocument(knowledge: Knowledge, document: NewDocument): Sizes {
  const old = findDocument(knowledge, document.path);
  const touched = old ? takeOut(knowledge, old.id) : new Set<number>();
  const name = old?.name ?? freeName(knowledge, document);
  const { title, metadata, chunks, facts } = document.content;
  const id = knowledge.insert('documents', {
    ...{ path: document.path, name, hash: document.hash, title },
    modified_at: Math.round(document.modifiedAt),
    metadata: JSON.stringify(metadata),
  });
  const context = [title, ...Object.values(metadata)].join(' ');
  let ordinal = 0;
  for (const chunk of chunks) {
    const { heading, text, lines } = chunk;
    const [first_line, last_line] = lines;
    const row = { document: id, ordinal, heading, text, first_line, last_line };
    const rowid = knowledge.insert('chunks', row);
    const words = { context: fold(`${context} ${heading}`), text: fold(text) };
    knowledge.insert('chunk_words', { rowid, ...words });
    const vector = document.vectors?.values[ordinal];
    if (document.vectors && vector) writeVector(knowledge, rowid, document.vectors.model, vector);
    ordinal++;
  }
  const count = writeFacts(knowledge, { id, name, path: document.path }, facts, touched);
  refresh(knowledge, touched);
  return { chunks: ordinal, facts: count };
}

export function writeVector(
  knowledge: Knowledge,
  chunk: number,
  model: string,
  vector: Float32Array,
): void {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  knowledge.run(
    'INSERT OR REPLACE INTO vectors (chunk, model, vector) VALUES (?,?,?)',
    chunk,
    model,
    bytes,
  );
}

export function removeDocument(knowledge: Knowledge, id: number): void {
  refresh(knowledge, takeOut(knowledge, id));
}

/** The name a document is cited by: with folders in front where another one has it already. */
function freeName(knowledge: Knowledge, document: NewDocument): string {
  const isTaken = (name: string): boolean =>
    knowledge.get('SELECT 1 FROM documents WHERE name = ?', name) !== undefined;
  const folders = document.path.split('/').slice(0, -document.name.split('/').length);
  let name = document.name;
  while (isTaken(name) && folders.length > 0) name = `${folders.pop()}/${name}`;
  return isTaken(name) ? document.path : name;
}

/** Removes a document and gives the entities that its facts were about. */
function takeOut(knowledge: Knowledge, id: number): Set<number> {
  const rows = knowledge.all<{ id: number }>(
    'SELECT subject AS id FROM facts WHERE document = ?1 UNION ' +
      'SELECT predicate FROM facts WHERE document = ?1 UNION ' +
      'SELECT object FROM facts WHERE document = ?1 AND object IS NOT NULL UNION ' +
      'SELECT entity FROM labels WHERE document = ?1',
    id,
  );
  knowledge.run(
    'DELETE FROM chunk_words WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)',
    id,
  );
  knowledge.run('DELETE FROM documents WHERE id = ?', id);
  return new Set(rows.map((row) => row.id));
}

function writeFacts(
  knowledge: Knowledge,
  document: { id: number; name: string; path: string },
  facts: Iterable<Fact>,
  touched: Set<number>,
): number {
  const ids = new Map<string, number>();
  const idOf = (entity: Entity): number => {
    const blank = entity.kind === 'blank';
    const key = blank ? `_:${document.path}#${entity.key}` : entity.key;
    const name = blank ? `_:${document.name}#${entity.name}` : entity.name;
    const id = ids.get(key) ?? intern(knowledge, { kind: entity.kind, key, name });
    ids.set(key, id);
    touched.add(id);
    return id;
  };
  let count = 0;
  for (const fact of facts) {
    count++;
    const role = fact.object.kind === 'literal' ? naming(fact.predicate) : undefined;
    const place = { document: document.id, line: fact.line };
    if (role) {
      const { text, language } = fact.object as Literal;
      const names = { text, name_key: nameKey(text), language, is_alias: role === 'alias' ? 1 : 0 };
      knowledge.insert('labels', { ...place, entity: idOf(fact.subject), ...names });
    } else {
      knowledge.insert('facts', { ...place, ...factRow(fact, idOf) });
    }
  }
  return count;
}

function factRow(
  { subject, predicate, object, qualifiers }: Fact,
  idOf: (entity: Entity) => number,
): Readonly<Record<string, string | number | null>> {
  const literal = object.kind === 'literal' ? object : undefined;
  const said = { ...(literal?.language && { language: literal.language }), ...qualifiers };
  return {
    ...{ subject: idOf(subject), predicate: idOf(predicate) },
    object: object.kind === 'literal' ? null : idOf(object),
    literal: literal?.text ?? null,
    datatype: literal?.datatype ?? null,
    qualifiers: Object.keys(said).length > 0 ? JSON.stringify(said) : null,
  };
}

function intern(knowledge: Knowledge, entity: Entity): number {
  const known = knowledge.get<{ id: number }>('SELECT id FROM entities WHERE key = ?', entity.key);
  return known?.id ?? knowledge.insert('entities', { ...entity, name_key: nameKey(entity.name) });
}

/** What the remaining facts use an entity as; a search for one fact each, not a count. */
const rolesQuery = `
  SELECT e.name AS name,
    EXISTS (SELECT 1 FROM facts WHERE subject = e.id)
      OR EXISTS (SELECT 1 FROM facts WHERE object = e.id AND predicate < t.id)
      OR EXISTS (SELECT 1 FROM facts WHERE object = e.id AND predicate > t.id) AS node,
    EXISTS (SELECT 1 FROM facts WHERE object = e.id AND predicate = t.id) AS class,
    EXISTS (SELECT 1 FROM facts WHERE predicate = e.id) AS predicate
  FROM entities e, (SELECT coalesce((SELECT id FROM entities WHERE key = ?2), 0) AS id) t
  WHERE e.id = ?1`;

interface Roles {
  readonly name: string;
  readonly node: number;
  readonly class: number;
  readonly predicate: number;
}

/** Brings roles and searchable names of entities up to date; forgets those no document mentions. */
function refresh(knowledge: Knowledge, entities: ReadonlySet<number>): void {
  for (const id of entities) {
    const roles = knowledge.get<Roles>(rolesQuery, id, typeIri);
    const labels = knowledge.all<{ text: string }>('SELECT text FROM labels WHERE entity = ?', id);
    knowledge.run('DELETE FROM entity_words WHERE rowid = ?', id);
    if (!roles) continue;
    if (!(roles.node || roles.class || roles.predicate || labels.length > 0)) {
      knowledge.run('DELETE FROM entities WHERE id = ?', id);
      continue;
    }
    knowledge.run(
      'UPDATE entities SET is_node = ?, is_class = ?, is_predicate = ? WHERE id = ?',
      ...[roles.node, roles.class, roles.predicate, id],
    );
    const names = [roles.name, ...labels.map(({ text }) => text)];
    knowledge.insert('entity_words', { rowid: id, names: fold(names.join(' ')) });
  }
}
