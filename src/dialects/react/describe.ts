/** The description of transcripts for whoever writes them, an action at a time. */
import type { Environment } from '../dialect.ts';
import { argumentSection, inputSection, toolSection } from '../llmcompiler/describe.ts';

export function describeTranscripts(environment: Environment): string {
  const sections = [
    ...[form, rules(environment), argumentSection],
    ...[inputSection(environment), toolSection(environment, (call) => `Action: ${call}`)],
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const form = `# Transcripts in react

One action at a time: a thought, the action that it leads to, and what has come of it. The next
thought begins there. The last action says the answer.

\`\`\`text
Thought: what is known, and what has to be found out next
Action: tool_name[arguments]
Observation: what the tool has given
Thought: what that says
Action: Finish[the answer]
\`\`\``;

const rules = ({ tools }: Environment): string =>
  [
    '## Rules',
    '',
    '- An action is written `Action: tool[arguments]`, in one line, behind its thought.',
    '- Write no observation: it comes from the tool.',
    '- `Finish[answer]` ends it, with the answer itself and nothing around it.',
    '- Never make the same call twice in a row: to look again, wait with `sleep` or call ' +
      'something else first.',
    ...(tools.size > 0 ? ['- Use no tools but those below and Finish.'] : []),
  ].join('\n');
