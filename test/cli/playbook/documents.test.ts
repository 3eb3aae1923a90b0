/**
 * Replies that are one document, by a model that takes its time: what a variable sets off in the
 * midst of it cuts it off. The request is cancelled, and what stands behind never acts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { type ServedReply, startModelServer } from '../../support/model-server.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

const program = (trigger: string) => `# Shop
## Main
### Triggers
- At the beginning
### Steps
- $total = what the visitor owes
- note(7)
- Say("Ordered.")
- Return $total

## Stop
### Triggers
- When ${trigger}
### Steps
- Say("Too dear.")
- End program
`;

const set = { step: '01', set: { total: 900 } };
const rest = [{ step: '02' }, { call: 'note', args: { n: 7 } }, { step: '03' }, { yield: 'call' }];
const steps = [
  { 'Main:01:EXE': [{ updated_vars: { $total: 900 } }] },
  { 'Main:02:QUE': [{ call: { fn: 'note', args: [7] } }] },
  { 'Main:03:YLD': [{ yield_type: 'ForCallComplete' }] },
];
const yaml = `\`\`\`yaml
thread_id: main
trace:
  - Main:01:EXE:
    - updated_vars:
        $total: 900
  - Main:02:QUE:
    - call: {fn: note, args: [7]}
  - Main:03:YLD:
    - yield_type: ForCallComplete
\`\`\``;

/** The document, and how it goes on behind what tells that the variable is set. */
const forms: Readonly<Record<string, readonly [string, string]>> = {
  'a trace in YAML': [yaml, '    - call'],
  'a list in YAML': ['- step: "01"\n  set: {total: 900}\n- call: note\n  args: [7]\n', '  args'],
  'a trace in JSON': [JSON.stringify({ trace: steps }, null, 2), '{\n      "Main:02'],
  'a trace in one line': [JSON.stringify({ trace: steps }), ',{"Main:02'],
  'a list in JSON': [JSON.stringify([set, ...rest], null, 1), '{\n  "step": "02'],
  'a list with a name': [JSON.stringify({ operations: [set, ...rest] }), ',{"step":"02'],
};

const byMachine = Object.keys(forms).map((form) => ['the machine', form] as const);
const byModel = (['a trace in YAML', 'a trace in one line'] as const).map(
  (form) => ['a model', form] as const,
);

test.each([...byMachine, ...byModel])('where %s decides: %s', async (who, form) => {
  const [text = '', behind = ''] = forms[form] ?? [];
  const trigger = who === 'a model' ? '$total sounds like a lot' : '$total > 500';
  const judged = who === 'a model' ? ['{"holds": [1]}'] : [];
  const at = text.indexOf(behind);
  expect(at).toBeGreaterThan(0);
  const left: number[] = [];
  const replies = [...judged, ops({ step: '01' }, { say: 'Too dear.' }, { yield: 'exit' })];
  await using server = await startModelServer(({ index, abandoned }): ServedReply => {
    void abandoned.then(() => left.push(index));
    if (index > 0) return replies[index - 1] ?? { status: 500 };
    // The rest would come only when nobody listens any more.
    return { text, pieces: [text.slice(0, at), text.slice(at)], gate: abandoned };
  });
  using folder = new Folder({ 'x.playbook.md': program(trigger), 'tools.ts': noteTool('write') });
  const args = ['run', 'x.playbook.md', '--tools', './tools.ts', '--yes', 'note'];
  const ran = await folder.planvm([...args, '--model', 'openai/test'], { env: server.env.openai });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Too dear.') });
  expect(left).toEqual([0]);
  expect(server.requests).toHaveLength(replies.length + 1);
  expect(existsSync(join(folder.path, 'notes'))).toBe(false);
});
