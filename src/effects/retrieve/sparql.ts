/** `sparql`: queries over the facts of the knowledge base, in a thread that can be ended. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { threadBeside } from '../apart/apart.ts';
import { keptThreads } from '../apart/kept.ts';
import type { GraphResult } from './ask-graph.ts';
import { type SparqlLimits, sparqlLimits, sparqlSpec } from './sparql-spec.ts';
import type { GraphInput } from './sparql-thread.ts';

/** `path` is the file of the knowledge base. */
export function sparqlHandler(path: string, limits: SparqlLimits = sparqlLimits): Handler {
  const { facts, rows, memoryBytes } = limits;
  // Each has the whole graph in memory.
  const threads = keptThreads<GraphInput, GraphResult>(threadBeside(import.meta.url), {
    ...{ memoryBytes, spare: 1, idleMs: 60_000 },
  });
  return {
    spec: sparqlSpec,
    async perform(args, context) {
      if (!existsSync(path)) {
        throw new EffectFailure('PV4300', `there is no knowledge base at ${path}`, {
          answered: true,
          mayHaveActed: false,
          hint: 'load files into it first: planvm ingest PATHS…',
        });
      }
      const input: GraphInput = { path, query: String(args.query), facts, rows };
      const asked = { signal: context.signal, what: 'the query' };
      const { value, warnings } = await threads.ask(input, asked);
      for (const warning of warnings) context.warn(warning);
      context.source({ url: pathToFileURL(path).href, title: 'knowledge graph' });
      return value;
    },
  };
}
