/** Repair in every dialect, from the step that failed to the end. */
import { expect, test } from 'vitest';
import { Folder, ref } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const tools = `import { appendFileSync } from 'node:fs';
const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
export default [
  { name: 'note', description: 'Writes a note.', parameters, effect: 'write',
    run: ({ text }) => { appendFileSync('notes.txt', text + '\\n'); return 'noted ' + text; } },
  { name: 'broken', description: 'Looks up.', parameters, effect: 'read', idempotent: false,
    run() { throw new Error('the index is gone'); } },
  { name: 'lookup', description: 'Looks up.', parameters, effect: 'read', run: ({ text }) => 'shelf of ' + text },
];
`;

const starlark = `# What is looked for.
subject = "tides"
noted = note(text = subject)

def find(what):
    return broken(text = what)

# The function fails in here.
places = [find(what) for what in [subject, "ebbs"]]
answer(", ".join(places))
`;

const repaired = `\`\`\`starlark
# The index is gone,
# so the shelves are asked.
def search(what):
    return lookup(text = what)

places = [search(what) for what in [subject, "ebbs"]]
answer(", ".join(places))
\`\`\``;

const branches = (tool: string): string =>
  JSON.stringify([
    { seq_no: 0, type: 'note', parameters: { text: 'tides', output_var: 'noted' } },
    {
      seq_no: 1,
      type: 'condition',
      parameters: {
        prompt: 'Is {{noted}} a note?',
        true_branch: [
          { seq_no: 2, type: tool, parameters: { text: 'tides', output_var: 'final_answer' } },
        ],
        false_branch: [
          { seq_no: 3, type: 'assign', parameters: { value: 'no', var_name: 'final_answer' } },
        ],
      },
    },
  ]);

const loop = (tool: string): string =>
  JSON.stringify([
    { seq_no: 0, type: 'assign', parameters: { round: 0 } },
    { seq_no: 1, type: 'assign', parameters: { round: `${ref('round')} + 1` } },
    {
      seq_no: 2,
      type: 'calling',
      parameters: {
        tool_name: 'note',
        tool_params: { text: `round ${ref('round')}` },
        output_vars: 'n',
      },
    },
    {
      seq_no: 3,
      type: 'jmp',
      parameters: {
        condition_prompt: `Again, after ${ref('n')}?`,
        jump_if_true: 1,
        jump_if_false: 4,
      },
    },
    {
      seq_no: 4,
      type: 'calling',
      parameters: {
        tool_name: tool,
        tool_params: { text: `round ${ref('round')}` },
        output_vars: 'final_answer',
      },
    },
  ]);

const yes = '{"result": true, "explanation": "It is."}';
const no = '{"result": false, "explanation": "It is not."}';

interface Case {
  readonly file: string;
  readonly text: string;
  /** Of the model, while the program runs and when it repairs it. */
  readonly replies: readonly string[];
  readonly answer: string;
  readonly notes: string;
  /** What the model is told. */
  readonly told: readonly string[];
}

const cases: readonly Case[] = [
  {
    ...{ file: 'plan.star', text: starlark, replies: [repaired] },
    ...{ answer: 'shelf of tides, shelf of ebbs\n', notes: 'tides\n' },
    told: [
      'Step 9 (failed):\n8 | # The function fails in here.',
      '- noted: string of 11 characters',
    ],
  },
  {
    ...{ file: 'plan.json', text: branches('broken') },
    replies: [yes, JSON.stringify(JSON.parse(branches('lookup'))[1])],
    ...{ answer: 'shelf of tides\n', notes: 'tides\n' },
    told: ['Step 1 (failed):', '- step 0: note {"text":"tides"}'],
  },
  {
    ...{ file: 'loop.json', text: loop('broken') },
    replies: [yes, no, JSON.stringify(JSON.parse(loop('lookup'))[4])],
    ...{ answer: 'shelf of round 2\n', notes: 'round 1\nround 2\n' },
    told: ['- round: int = 2', '- step 2@2: note {"text":"round 2"}'],
  },
];

test.each(cases)('$file is repaired', async ({ file, text, replies, answer, notes, told }) => {
  await using server = await startModelServer(inOrder(...replies, yes));
  using folder = new Folder({ 'tools.ts': tools, [file]: text });
  const env = { ...server.env.openai, PLANVM_MODEL: 'openai/test', PLANVM_TOOLS: 'tools.ts' };
  const done = await folder.planvm(['run', file, '--repair', '1', '--goal', 'Find it.'], { env });
  expect(`${done.stderr}\nexit ${done.code}`).toContain('\nexit 0');
  expect(done.stdout).toBe(answer);
  expect(folder.read('notes.txt')).toBe(notes);
  const prompt = server.requests[replies.length - 1]?.prompt;
  for (const part of told) expect(prompt).toContain(part);
  expect(server.requests).toHaveLength(replies.length);
});
