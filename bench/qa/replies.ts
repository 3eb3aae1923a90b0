/** What the model writes in each way of planning: the scenario's calls, and nothing besides. */
import { piecesOf, type Reply } from './paced-server.ts';
import type { Scenario } from './scenario.ts';

export const answer = 'the first';

/** By the name of the method. */
export const repliesOf: Readonly<Record<string, (scenario: Scenario) => Reply[]>> = {
  llmcompiler: (scenario) => [
    { text: tasks(scenario), ms: scenario.plannerMs },
    { text: joined, ms: scenario.joinerMs },
  ],
  react: (scenario) => thoughts(scenario).map((text) => ({ text, ms: scenario.thoughtMs })),
  starlark: (scenario) => [
    { text: starlark(scenario), ms: scenario.plannerMs },
    { text: answer, ms: scenario.joinerMs },
  ],
};

/** A task a line. */
function tasks({ calls }: Scenario): string {
  const lines = calls.map(({ tool, query, on }, i) => {
    const context = on.length === 0 ? '' : `, [${on.map((need) => `$${need + 1}`).join(', ')}]`;
    return `Thought: This is needed.\n${i + 1}. ${tool}("${query}"${context})`;
  });
  return `${lines.join('\n')}\nThought: That is all.\n${calls.length + 1}. join()\n<END_OF_PLAN>`;
}

const joined = JSON.stringify({ thought: 'All is there.', action: 'finish', answer, reason: '' });

/** A call at a time, then the answer. */
function thoughts({ calls }: Scenario): string[] {
  const acts = calls.map(
    ({ tool, query }) => `Thought: This is needed next.\nAction: ${tool}["${query}"]`,
  );
  return [...acts, `Thought: All is there.\nAction: Finish[${answer}]`];
}

function starlark({ calls, question }: Scenario): string {
  const lines = calls.map(({ tool, query, on }, i) => {
    const needs = on.map((need) => `v${need}`).join(', ');
    return `v${i} = ${tool}(query = "${query}", context = [${needs}])`;
  });
  const found = calls.map((_, i) => `v${i}`).join(', ');
  const last = `answer(llm_generate("${question}", context = [${found}]))`;
  return `\`\`\`starlark\n${[...lines, last].join('\n')}\n\`\`\``;
}

/** When each task's line is there, as a part of the time in which the plan is written: 0 to 1. */
export function arrivals(scenario: Scenario): number[] {
  const text = tasks(scenario);
  const total = piecesOf(text).length;
  let seen = 0;
  const lines = text.split('\n').flatMap((line) => {
    seen += piecesOf(line).length;
    return /^\d+\. /.test(line) ? [seen / total] : [];
  });
  return lines.slice(0, -1);
}
