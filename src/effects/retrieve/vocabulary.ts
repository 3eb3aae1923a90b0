/** Names: how IRIs and plain words become entities, and which predicates carry names and types. */
import { percentDecoded } from '../foreign-json.ts';
import type { Entity } from './content.ts';
import { nameKey } from './words.ts';

export const typeIri = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const labelIri = 'http://www.w3.org/2000/01/rdf-schema#label';
const aliasIri = 'http://www.w3.org/2004/02/skos/core#altLabel';

const schemaOrg = ['http://schema.org/', 'https://schema.org/'];

const labelIris: ReadonlySet<string> = new Set([
  labelIri,
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://xmlns.com/foaf/0.1/name',
  ...schemaOrg.map((base) => `${base}name`),
]);

const aliasIris: ReadonlySet<string> = new Set([
  aliasIri,
  ...schemaOrg.map((base) => `${base}alternateName`),
]);

/** Words that mean the same in triples without IRIs. */
const plainPredicates: ReadonlyMap<string, string> = new Map([
  ['type', typeIri],
  ['a', typeIri],
  ['is a', typeIri],
  ['instance of', typeIri],
  ['label', labelIri],
  ['name', labelIri],
  ['alias', aliasIri],
  ['also known as', aliasIri],
  ['alternate name', aliasIri],
]);

/** Whether the objects of a predicate name its subject, and if so how. */
export function naming(predicate: Entity): 'label' | 'alias' | undefined {
  if (labelIris.has(predicate.key)) return 'label';
  return aliasIris.has(predicate.key) ? 'alias' : undefined;
}

/** An entity that is known by its name only. Names that differ in case and accents are one. */
export function plainEntity(name: string): Entity {
  return { kind: 'plain', key: nameKey(name) || name, name };
}

/** The predicate of a triple without IRIs. */
export function plainPredicate(name: string): Entity {
  const iri = plainPredicates.get(nameKey(name));
  return iri === undefined ? plainEntity(name) : iriEntity(iri);
}

export function iriEntity(iri: string): Entity {
  return { kind: 'iri', key: iri, name: localName(iri) };
}

/**
 * What people would call an IRI that has no label: `…/New_York` is *New York*, `…#sharesBorderWith`
 * is *shares border with*.
 */
function localName(iri: string): string {
  const end = iri.replace(/(?<![/#])[/#]+$/, '');
  const last = percentDecoded(end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('#')) + 1));
  const spaced = last.replace(/_+/g, ' ').trim();
  if (!/^\p{Ll}/u.test(spaced)) return spaced || iri;
  return spaced.replace(
    /(?<=\p{Ll}|\p{N})\p{Lu}\p{Ll}*/gu,
    (word) => ` ${word.length > 1 ? word.toLowerCase() : word}`,
  );
}
