/** The thread that asks the knowledge graph for `sparql`: it has the graph until that changes. */
import { serve } from '../apart/serve.ts';
import { Graph } from './ask-graph.ts';

/** What the thread is sent. */
export interface GraphInput {
  /** File of the knowledge base. */
  readonly path: string;
  readonly query: string;
  /** Facts that are loaded, and rows that are returned, at most. */
  readonly facts: number;
  readonly rows: number;
}

let graph: Graph | undefined;

serve<GraphInput>(async ({ path, query, facts, rows }) => {
  if (graph && (graph.path !== path || graph.factsMax !== facts || graph.isGone())) {
    graph.close();
    graph = undefined;
  }
  graph ??= await Graph.open(path, facts);
  return graph.ask(query, rows);
});
