/** Worked examples for planner prompts. A test holds each against `check`. */

export interface Example {
  readonly dialect: string;
  readonly goal: string;
  /** Tools it calls; it is shown only where a run has all of them. */
  readonly tools: readonly string[];
  readonly program: string;
}

export function examplesFor(dialect: string): readonly Example[] {
  return examples.filter((example) => example.dialect === dialect);
}

const compare = JSON.stringify(
  [
    {
      seq_no: 0,
      type: 'reasoning',
      parameters: {
        chain_of_thoughts:
          'Two facts are needed, the length of each river. Neither depends on the other.',
        dependency_analysis: 'Step 3 depends on steps 1 and 2.',
      },
    },
    {
      seq_no: 1,
      type: 'calling',
      parameters: {
        tool: 'vector_search',
        params: { query: 'length of the Loire in kilometres', top_k: 3 },
        output_vars: 'loire',
      },
      execution_objective: 'Find passages that state the length of the Loire, for step 3.',
    },
    {
      seq_no: 2,
      type: 'calling',
      parameters: {
        tool: 'vector_search',
        params: { query: 'length of the Rhône in kilometres', top_k: 3 },
        output_vars: 'rhone',
      },
      execution_objective: 'Find passages that state the length of the Rhône, for step 3.',
    },
    {
      seq_no: 3,
      type: 'calling',
      parameters: {
        tool: 'llm_generate',
        params: {
          prompt: 'Which of the two rivers is longer, and by how much? Use only the passages.',
          context: { loire: '${loire}', rhone: '${rhone}' },
        },
        output_vars: 'final_answer',
      },
      execution_objective: 'Compare the two lengths and say the answer in one sentence.',
    },
  ],
  null,
  1,
);

const compareFirst = JSON.stringify(
  [
    {
      seq_no: 0,
      type: 'retrieve_embedded_chunks',
      parameters: {
        embedding_query: 'length of the Loire in kilometres',
        top_k: 3,
        output_var: 'loire',
      },
    },
    {
      seq_no: 1,
      type: 'retrieve_embedded_chunks',
      parameters: {
        embedding_query: 'length of the Rhône in kilometres',
        top_k: 3,
        output_var: 'rhone',
      },
    },
    {
      seq_no: 2,
      type: 'condition',
      parameters: {
        prompt: 'Do {{loire}} and {{rhone}} both state a length?',
        true_branch: [
          {
            seq_no: 3,
            type: 'llm_generate',
            parameters: {
              prompt: 'Which river is longer? Loire: {{loire}} Rhône: {{rhone}}',
              output_var: 'final_answer',
            },
          },
        ],
        false_branch: [
          {
            seq_no: 4,
            type: 'assign',
            parameters: {
              value: 'The sources do not give both lengths.',
              var_name: 'final_answer',
            },
          },
        ],
      },
    },
  ],
  null,
  1,
);

const compareStarlark = `# Neither search needs the other, so both run at the same time.
rivers = ["Loire", "Rhône"]
passages = {
    river: vector_search(query = "length of the %s in kilometres" % river, top_k = 3)
    for river in rivers
}

# One call a river: both read their passages at the same time, too.
def length(river):
    return llm_generate(
        prompt = "How long is the river, in kilometres? Use only the passages.",
        context = {"river": river, "passages": passages[river]},
        response_format = {"keys": ["kilometres"]},
    )

lengths = {river: length(river) for river in rivers}

# Comparing waits for the lengths.
known = [river for river in rivers if lengths[river]["kilometres"] != None]
if len(known) < len(rivers):
    answer("The passages do not say how long both rivers are.")
else:
    ranked = sorted(rivers, key = lambda river: float(lengths[river]["kilometres"]))
    difference = float(lengths[ranked[-1]]["kilometres"]) - float(lengths[ranked[0]]["kilometres"])
    answer("The %s is longer, by %d kilometres." % (ranked[-1], difference))
`;

const examples: readonly Example[] = [
  {
    dialect: 'stackvm-2',
    goal: 'Which is longer, the Loire or the Rhône, and by how much?',
    tools: ['vector_search', 'llm_generate'],
    program: compare,
  },
  {
    dialect: 'stackvm-1',
    goal: 'Which is longer, the Loire or the Rhône?',
    tools: ['retrieve_embedded_chunks', 'llm_generate', 'llm_condition'],
    program: compareFirst,
  },
  {
    dialect: 'starlark',
    goal: 'Which is longer, the Loire or the Rhône, and by how much?',
    tools: ['vector_search', 'llm_generate'],
    program: compareStarlark,
  },
];
