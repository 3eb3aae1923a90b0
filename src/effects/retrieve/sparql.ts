/** `sparql`: queries over the facts of the knowledge base, in a thread that can be ended. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Handler, refusal } from '../../engine/handler.ts';
import { apart, threadBeside } from '../apart/apart.ts';
import type { GraphResult } from './ask-graph.ts';
import { type SparqlLimits, sparqlLimits, sparqlSpec } from './sparql-spec.ts';
import type { GraphInput } from './sparql-thread.ts';

const threadFile = threadBeside(import.meta.url);

/** `path` is the file of the knowledge base. */
export function sparqlHandler(path: string, limits: SparqlLimits = sparqlLimits): Handler {
  const { facts, rows, memoryBytes } = limits;
  return {
    spec: sparqlSpec,
    async perform(args, context) {
      if (!existsSync(path)) {
        throw refusal('PV4300', `there is no knowledge base at ${path}`, {
          hint: 'load files into it first: planvm ingest PATHS…',
        });
      }
      const input: GraphInput = { path, query: String(args.query), facts, rows };
      const { value, warnings } = await apart<GraphInput, GraphResult>(threadFile, input, {
        ...{ signal: context.signal, what: 'the query', memoryBytes },
      });
      for (const warning of warnings) context.warn(warning);
      context.source({ url: pathToFileURL(path).href, title: 'knowledge graph' });
      return value;
    },
  };
}
