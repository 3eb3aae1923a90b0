/** What a model is shown that proposes steps for the lines of playbooks. */
import { calleesOf } from '../../dialects/playbook/compile/callees.ts';
import {
  type CompiledFile,
  type CompiledPlaybook,
  flatLines,
  isMachines,
} from '../../dialects/playbook/compiled.ts';
import type { Message } from '../../effects/model/model.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { callableLines } from './prompt/callee-lines.ts';
import { playbookText } from './prompt/playbook-text.ts';

const task =
  'You compile playbooks: procedures in natural language that a machine and a model do together. ' +
  'The machine does steps that are written in one of its forms, exactly and without a model; a ' +
  'model does every other step as its words say. Say for each line which steps it stands for: a ' +
  'form where the line means just that, else one EXE step in the words of the line. A line that ' +
  'means several things becomes several steps.';

const forms = [
  'QUE $x = F($a, "text"), or QUE F($a): a call of a playbook, function or tool that is listed',
  'QUE Say("the words, with {$x} filled in"), QUE Say(NAME, "…"): only words that the line has ' +
    'in quotes',
  'QUE Ask user for $a, $b: a question, and the wait for the answer; QUE Ask NAME for $a',
  'EXE $x = an expression of Starlark, such as len($items) + 1',
  'CND If E, ELS Otherwise, CND Else if E: over the steps under them; E is an expression, or words',
  'LOP While E, LOP Until E, LOP Repeat E times, LOP For each $x in E: over the steps under them',
  'RET E; JMP 02, a line to go on at; JMP Break; JMP Continue',
  'YLD Wait for user, YLD Wait 5 minutes, YLD Wait until 9:00, YLD Wait for event NAME; ' +
    'YLD End program',
  'TNK Think about …: for the model alone',
  'EXE any words: for the model to do',
];

const rules = [
  'Each line has at least one step. Lines marked = are in a form already and need none.',
  'Steps of lines that stand under another line come under the last step of that one by ' +
    'themselves. A step under another one of its own line has a > for each level before its code.',
  'Take quotes, numbers and variables from the line. Invent no playbook, function, tool, person, ' +
    'variable, value or condition, and leave none of the variables of a line out.',
  'A condition stays a condition, a loop a loop.',
  'Steps that wait for the result of a call need not be said.',
];

const form =
  'Answer with nothing but the steps: for each playbook its heading, then a row for each step: ' +
  'the number of its line, the code, the words.\n\n' +
  '## Desk.Main\n01 QUE Ask user for $day\n02 QUE $bikes = FreeBikes($day)\n02 CND If $bikes\n' +
  '02 > EXE Recommend one of them\n03 CND If not $bikes\n03.01 JMP 01';

const listed = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

export function stepsPrompt(file: CompiledFile, tools: readonly ToolSpec[]): Message[] {
  const playing = file.agents.filter(({ kind }) => kind === 'ai');
  const callees = playing.map((agent) => {
    const lines = callableLines(calleesOf(agent, file.agents, tools).values());
    return [`In ${agent.name}:`, ...(lines.length === 0 ? ['nothing'] : lines)].join('\n');
  });
  const people = file.agents.flatMap(({ kind, name }) => (kind === 'human' ? [name] : []));
  const system = [
    task,
    `The forms:\n${listed(forms)}`,
    listed(rules),
    ['What can be called.', ...callees].join('\n\n'),
    ...(people.length === 0 ? [] : [`People besides the user: ${people.join(', ')}`]),
    form,
  ];
  const playbooks = file.agents.flatMap((agent) =>
    agent.playbooks.filter(isOpen).map((playbook) => {
      const named = { ...playbook, name: `${agent.name}.${playbook.name}` };
      return playbookText(named, flatLines(playbook.lines));
    }),
  );
  return [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: playbooks.join('\n\n') },
  ];
}

/** Whether some line of a playbook is a model's. */
export const isOpen = ({ lines }: CompiledPlaybook): boolean => !flatLines(lines).every(isMachines);
