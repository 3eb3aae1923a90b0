/** The tools that programs search the knowledge base with. */
import { type Arguments, EffectFailure, type Handler, refusal } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { type GraphAnswer, queryGraph } from './graph-answer.ts';
import { failure, type Knowledge } from './knowledge.ts';
import { type FoundChunk, searchChunks } from './search.ts';
import {
  type ChunkTool,
  chunkTools,
  depthMax,
  graphSpec,
  resultsMax,
  retrieveSpecs,
} from './specs.ts';
import { wordsOf } from './words.ts';

type Open = () => Knowledge | Promise<Knowledge>;

/**
 * `retrieve_knowledge_graph`, `retrieve_embedded_chunks` and `vector_search`. A function is called
 * when a tool is first used; until it has succeeded, each use calls it again.
 */
export function retrieveHandlers(knowledge: Knowledge | Open): Handler[] {
  let open = typeof knowledge === 'function' ? undefined : knowledge;
  const opened = async (): Promise<Knowledge> => {
    open ??= typeof knowledge === 'function' ? await knowledge() : knowledge;
    return open;
  };
  return retrieveSpecs.map((spec) => retrieveHandler(spec, opened));
}

/** The one of these tools. */
export function retrieveHandler(spec: ToolSpec, opened: Open): Handler {
  const tool = chunkTools.find((one) => one.spec === spec);
  return tool ? chunkHandler(opened, tool) : graphHandler(opened);
}

function graphHandler(opened: Open): Handler {
  return {
    spec: graphSpec,
    async perform(args, context): Promise<GraphAnswer> {
      const query = queryIn(args, 'query');
      const depth = integerIn(args, {
        name: 'depth',
        fallback: 1,
        min: 0,
        max: depthMax,
        code: 'PV4307',
      });
      return using(opened, (base) => {
        const answer = base.read(() => queryGraph(base, query, depth));
        if (answer.entities.length === 0) context.warn(answer.note ?? 'nothing matched');
        return answer;
      });
    },
  };
}

function chunkHandler(opened: Open, tool: ChunkTool): Handler {
  return {
    spec: tool.spec,
    async perform(args, context): Promise<readonly FoundChunk[]> {
      const query = queryIn(args, tool.query);
      const bounds = {
        name: 'top_k',
        fallback: tool.results,
        min: 1,
        max: resultsMax,
        code: 'PV4306',
      };
      const limit = integerIn(args, bounds);
      return using(opened, async (base) => {
        const chunks = await searchChunks(base, query, limit, context);
        if (chunks.length === 0) context.warn(nothingFound(base));
        return chunks;
      });
    },
  };
}

function nothingFound(knowledge: Knowledge): string {
  const { chunks, facts } = knowledge.counts();
  return chunks > 0
    ? `nothing matched in ${chunks} pieces of text`
    : `the knowledge base holds no text, only ${facts} facts: use retrieve_knowledge_graph`;
}

/** Acts on a knowledge base that holds something; what SQLite throws becomes an `EffectFailure`. */
async function using<Result>(
  opened: Open,
  act: (knowledge: Knowledge) => Result | Promise<Result>,
): Promise<Result> {
  const knowledge = await opened();
  try {
    if (knowledge.get('SELECT 1 FROM documents LIMIT 1') === undefined) {
      throw refusal('PV4301', `the knowledge base at ${knowledge.path} holds nothing`, {
        hint: 'load files into it first: planvm ingest PATHS…',
      });
    }
    return await act(knowledge);
  } catch (error) {
    throw error instanceof EffectFailure ? error : failure(knowledge.path, error);
  }
}

function queryIn(args: Arguments, name: string): string {
  const query = args[name];
  if (typeof query === 'string' && wordsOf(query).length > 0) return query;
  const got = typeof query === 'string' ? JSON.stringify(query.slice(0, 40)) : typeof query;
  throw refusal('PV4305', `${name}: got ${got}, want text with a word to search for`);
}

interface Bounds {
  readonly name: string;
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly code: string;
}

function integerIn(args: Arguments, { name, fallback, min, max, code }: Bounds): number {
  const value = args[name] ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  const got = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  throw refusal(code, `${name}: got ${got}, want an integer from ${min} to ${max}`);
}
