/**
 * The tables of the knowledge base. `user_version` counts the steps that a file has been through;
 * a step is never changed once it has been released, only followed by another.
 */
import type { DatabaseSync } from 'node:sqlite';
import { EffectFailure } from '../../engine/handler.ts';

/** `PVkb`: tells this file from any other SQLite database. */
const applicationId = 0x50566b62;

/** English stemming also joins French plurals; accents fall here and in `fold`. */
const tokenizer = "tokenize = 'porter unicode61 remove_diacritics 2'";

const steps: readonly string[] = [
  `
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    -- Relative to the folder of the database, so that both can move together.
    path TEXT NOT NULL UNIQUE,
    -- What sources are cited by: relative to the folder that was loaded.
    name TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    modified_at INTEGER NOT NULL,
    title TEXT NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT;

  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    UNIQUE (document, ordinal)
  ) STRICT;
  CREATE VIRTUAL TABLE chunk_words USING fts5 (
    context, text, content = '', contentless_delete = 1, ${tokenizer}
  );

  CREATE TABLE vectors (
    chunk INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    -- Little-endian 32-bit floats of length 1 together.
    vector BLOB NOT NULL
  ) STRICT;
  CREATE INDEX vectors_by_model ON vectors (model);

  CREATE TABLE entities (
    id INTEGER PRIMARY KEY,
    -- An IRI, a blank node of one document, or the folded name of a plain one.
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('iri', 'blank', 'plain')),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    -- What the facts use it as; kept with them.
    is_node INTEGER NOT NULL DEFAULT 0,
    is_class INTEGER NOT NULL DEFAULT 0,
    is_predicate INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX entities_by_name ON entities (name_key);
  CREATE VIRTUAL TABLE entity_words USING fts5 (
    names, content = '', contentless_delete = 1, ${tokenizer}
  );

  CREATE TABLE labels (
    id INTEGER PRIMARY KEY,
    entity INTEGER NOT NULL REFERENCES entities (id),
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    text TEXT NOT NULL,
    name_key TEXT NOT NULL,
    language TEXT NOT NULL,
    is_alias INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX labels_by_entity ON labels (entity);
  CREATE INDEX labels_by_document ON labels (document);
  CREATE INDEX labels_by_name ON labels (name_key);

  CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    subject INTEGER NOT NULL REFERENCES entities (id),
    predicate INTEGER NOT NULL REFERENCES entities (id),
    -- Either an entity, or a literal with its datatype.
    object INTEGER REFERENCES entities (id),
    literal TEXT,
    datatype TEXT,
    -- JSON object of texts: what the source says about the fact itself.
    qualifiers TEXT,
    CHECK ((object IS NULL) <> (literal IS NULL))
  ) STRICT;
  CREATE INDEX facts_by_subject ON facts (subject, predicate);
  CREATE INDEX facts_by_object ON facts (object, predicate) WHERE object IS NOT NULL;
  CREATE INDEX facts_by_predicate ON facts (predicate);
  CREATE INDEX facts_by_document ON facts (document);
  `,
];

/** The version this program writes. */
export const schemaVersion: number = steps.length;

/** Brings a database to the newest version. Throws `EffectFailure` for one that is not ours. */
export function migrate(db: DatabaseSync, path: string): void {
  if (versionOf(db, path) === schemaVersion) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Asked again inside the lock: another process may have done it meanwhile.
    for (let version = versionOf(db, path); version < schemaVersion; version++) {
      db.exec(steps[version] ?? '');
    }
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(db: DatabaseSync, path: string): number {
  const id = Number(db.prepare('PRAGMA application_id').get()?.application_id);
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const empty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (id !== applicationId && !empty) {
    throw new EffectFailure('PV4302', `${path} is a database, but no knowledge base of planvm`, {
      hint: 'name another file',
    });
  }
  if (version > schemaVersion) {
    throw new EffectFailure(
      'PV4303',
      `${path} has schema ${version}; this planvm knows schemas up to ${schemaVersion}`,
      { hint: 'update planvm, or load the files into a new knowledge base' },
    );
  }
  return version;
}
