import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { followed } from '../support/playbook-follower.ts';
import { played } from '../planner/playbook/played.ts';
const items = JSON.parse(readFileSync('datasets/playbooks.json', 'utf8'));
const base = JSON.parse(readFileSync('test/playbooks/baseline.json', 'utf8'));
test('count', async () => {
  for (const item of items) {
    const text = readFileSync(`datasets/${item.file}`, 'utf8');
    const ran = await played(text, { inline: Number(process.env.INLINE ?? 8), given: item.inputs ?? {}, answers: item.messages ?? [], replies: ({ messages }) => followed(messages) });
    console.log(item.id, ran.result.status, JSON.stringify(ran.result.answer), 'calls', ran.prompts.length, 'before', base[item.id].calls, JSON.stringify(ran.said), ran.result.error?.message?.slice(0, 300), JSON.stringify(ran.result.warnings).slice(0,300));
  }
}, 60000);
