/** Declarations of the retrieving tools, apart from what performs them: `check` loads no more. */
import { type ToolSpec, toolSpec, type Untold } from '../../program/effect.ts';
import { integer, text } from '../tool/fields.ts';

export const depthMax = 4;
export const resultsMax = 100;

export const graphSpec: ToolSpec = specOf(
  'retrieve_knowledge_graph',
  'Finds the entities that the query names, with their properties and the relations around ' +
    'them. Returns { entities: [{ name, types, properties, source }], relations: [{ subject, ' +
    'predicate, object, source }], text?, note? }, text being the values that are asked for.',
  {
    query: text(),
    depth: integer('How many relations to follow from what the query names.', {
      default: 1,
      minimum: 0,
      maximum: depthMax,
    }),
  },
  'query',
);

export interface ChunkTool {
  readonly spec: ToolSpec;
  /** The name of the parameter that says what to look for. */
  readonly query: string;
  /** How many pieces are returned where nothing is said. */
  readonly results: number;
}

/** One search under the names that it has in two notations: tasks have one of them. */
export const chunkTools: readonly ChunkTool[] = [
  chunkTool('retrieve_embedded_chunks', 'embedding_query', 5, 'tasks'),
  chunkTool('vector_search', 'query', 10),
];

export const retrieveSpecs: readonly ToolSpec[] = [
  graphSpec,
  ...chunkTools.map(({ spec }) => spec),
];

function chunkTool(name: string, query: string, results: number, untold?: Untold): ChunkTool {
  const spec = specOf(
    name,
    'Finds the pieces of text that fit the query best. Returns [{ text, source, score, ' +
      'lines }], best first.',
    {
      [query]: text(),
      top_k: {
        type: 'integer',
        default: results,
        minimum: 1,
        maximum: resultsMax,
      },
    },
    query,
  );
  return { spec: untold ? { ...spec, untold } : spec, query, results };
}

function specOf(
  name: string,
  description: string,
  properties: NonNullable<ToolSpec['parameters']['properties']>,
  required: string,
): ToolSpec {
  const parameters = {
    type: 'object',
    properties,
    required: [required],
    additionalProperties: false,
  };
  return toolSpec({ name, description, parameters, kind: 'retrieve', effect: 'read' });
}
