/** The declaration of `sparql`, apart from what performs it: `check` loads no more. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { closed, text } from '../tool/fields.ts';

export interface SparqlLimits {
  /** Facts that are loaded for a query. */
  readonly facts: number;
  /** Rows of a result. */
  readonly rows: number;
  readonly memoryBytes: number;
}

/** Where nobody says otherwise. */
export const sparqlLimits: SparqlLimits = {
  facts: 500_000,
  rows: 10_000,
  memoryBytes: 1_073_741_824,
};

/** Cells, and characters in them, for each row that a result may have. */
export const perRow = { cells: 20, characters: 800 } as const;

/** What a query need not declare. `kg:` has what is known by its name only. */
export const prefixes: Readonly<Record<string, string>> = {
  kg: 'urn:kg:',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  schema: 'https://schema.org/',
  dcterms: 'http://purl.org/dc/terms/',
};

export const sparqlSpec: ToolSpec = toolSpec({
  name: 'sparql',
  aliases: ['DataHelpers.sparql'],
  description:
    'Asks the knowledge graph in SPARQL 1.1, reading only. SELECT returns rows, [{ variable: ' +
    'value }]; ASK true or false; CONSTRUCT and DESCRIBE [{ subject, predicate, object }]. ' +
    'Prefixes need no declaration: rdf, rdfs, xsd, skos, schema, foaf, owl, dcterms, and kg for ' +
    'what is known by its name only: kg:area_in_square_kilometres. Names stand under rdfs:label, ' +
    'the documents of facts in GRAPH ?document.',
  kind: 'retrieve',
  effect: 'read',
  parameters: closed({
    query: text('In SPARQL.', { minLength: 1, maxLength: 100_000 }),
  }),
  limits: { timeoutMs: 60_000, concurrency: 2 },
});
