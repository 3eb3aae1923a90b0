/** An example of each instruction of the stackvm dialects, for planners and readers. */
import type { InstructionRow } from './instructions.ts';

export interface InstructionExample {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What it is for; absent where an instruction needs no objective. */
  readonly objective?: string;
}

type Examples = Readonly<Record<string, InstructionExample>>;

const ofStackvm1: Examples = {
  assign: {
    parameters: { value: 12, var_name: 'months' },
  },
  llm_generate: {
    parameters: { prompt: 'Name the largest city in {{facts}}.', output_var: 'city' },
  },
  retrieve_knowledge_graph: {
    parameters: { query: 'Cities of Portugal', output_var: 'facts' },
  },
  retrieve_embedded_chunks: {
    parameters: { embedding_query: 'Population of {{city}}', top_k: 5, output_var: 'passages' },
  },
  vector_search: {
    parameters: { query: 'Population of {{city}}', top_k: 5, output_var: 'passages' },
  },
  condition: {
    parameters: {
      prompt: 'Does this name a population? {{passages}}',
      true_branch: [
        { seq_no: 4, type: 'assign', parameters: { value: '{{passages}}', var_name: 'source' } },
      ],
      false_branch: [],
    },
  },
};

const ofStackvm2: Examples = {
  assign: {
    parameters: { city: 'Lisbon', question: 'How many people live in ${city}?' },
    objective: 'Set the city and the question about it, which step 4 looks up.',
  },
  calling: {
    parameters: {
      tool: 'llm_generate',
      params: { prompt: 'Summarise the report and list its risks.', context: '${report}' },
      output_vars: ['summary', 'risks'],
    },
    objective: 'Get a summary and the risks as JSON, for the final answer in step 4.',
  },
  foreach: {
    parameters: {
      items: '${cities}',
      item_var: 'city',
      instructions: [
        {
          seq_no: 4,
          type: 'calling',
          parameters: {
            tool: 'llm_generate',
            params: { prompt: 'Say in one sentence what ${city} is known for.' },
            output_vars: 'about',
          },
          execution_objective: 'Get a sentence about one city.',
        },
      ],
      output_vars: 'sentences',
    },
    objective: 'Get a list of one sentence for each city, for the summary in step 5.',
  },
};

const ofBoth: Examples = {
  jmp: {
    parameters: {
      condition_prompt: 'Is ${city} a capital?',
      jump_if_true: 5,
      jump_if_false: 7,
    },
    objective: 'Go on at step 5 for a capital, else at step 7.',
  },
  jmp_if: {
    parameters: { condition_prompt: 'Is ${city} a capital?', jump_if_true: 5, jump_if_false: 7 },
  },
  reasoning: {
    parameters: {
      chain_of_thoughts: 'First find the city, then its population.',
      dependency_analysis: 'Step 2 needs the city of step 1.',
    },
  },
};

/** Throws for a row that has none, which a test rules out for the rows of the table. */
export function instructionExample({ type, dialects }: InstructionRow): InstructionExample {
  const [only = ''] = dialects.length === 1 ? dialects : [];
  const example = (examplesByDialect[only] ?? ofBoth)[type];
  if (!example) throw new Error(`got the instruction ${type}, want one that has an example`);
  return example;
}

const examplesByDialect: Readonly<Record<string, Examples>> = {
  'stackvm-1': ofStackvm1,
  'stackvm-2': ofStackvm2,
};
