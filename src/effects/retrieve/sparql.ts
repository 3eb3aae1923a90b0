/** `sparql`: queries over the facts of the knowledge base, in a thread that can be ended. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { apart, threadBeside } from '../apart/apart.ts';
import type { GraphInput, GraphResult } from './ask-graph.ts';
import { sparqlLimits, sparqlSpec } from './sparql-spec.ts';

/** `path` is the file of the knowledge base. */
export const sparqlHandler = (path: string): Handler => ({
  spec: sparqlSpec,
  async perform(args, context) {
    if (!existsSync(path)) {
      throw new EffectFailure('PV4300', `there is no knowledge base at ${path}`, {
        answered: true,
        mayHaveActed: false,
        hint: 'load files into it first: planvm ingest PATHS…',
      });
    }
    const input: GraphInput = { path, query: String(args.query) };
    const { value, warnings } = await apart<GraphInput, GraphResult>(
      threadBeside(import.meta.url),
      input,
      { signal: context.signal, what: 'the query', memoryBytes: sparqlLimits.memoryBytes },
    );
    for (const warning of warnings) context.warn(warning);
    context.source?.({ url: pathToFileURL(path).href, title: 'knowledge graph' });
    return value;
  },
});
