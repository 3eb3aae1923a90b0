/**
 * Programs of ours at several limits of inlining, and one effect at a time: they say and do the
 * same, and take as many replies less as `--explain` leads to expect.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlaySet } from '../../src/cli/bench/playbook-set.ts';
import { explained } from '../../src/dialects/playbook/link/explain.ts';
import { link } from '../../src/dialects/playbook/link/link.ts';
import { compiledOf, readTree } from '../../src/dialects/playbook/tree-of.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { decode, toJson } from '../../src/program/json.ts';
import { played } from '../planner/playbook/played.ts';
import { followed } from '../support/playbook-follower.ts';
import { root } from '../support/repo.ts';
import { forms, type Op } from './forms.ts';
import { expectNoMoreThanNeeded } from './story.ts';

const own = await readPlaySet(join(root, 'datasets/playbooks.json'));

/** Names of the playbooks that have begun with a reply of their own, once for each time. */
const begun = (journal: Journal, run: string): readonly string[] =>
  journal.events(run).flatMap((event) => {
    if (event.type !== 'effect.started' || event.tool !== 'turn') return [];
    const { frame, kind } = Object(toJson(decode(event.request ?? 'null')));
    return kind === 'start' ? [String(frame.playbook).replace(/^.*\./, '')] : [];
  });

/** Playbooks that stand in the place of all their calls. */
function inlinedIn(text: string, inlineSteps: number): ReadonlySet<string> {
  const all = explained(link(compiledOf(readTree(text).tree, ['ask']), { inlineSteps }));
  const named = (what: string): string[] =>
    all.flatMap((one) => (one.what === what ? [one.text.replace(/:.*$/s, '')] : []));
  const stay = all.flatMap(({ text }) => /it still calls (.*), with/.exec(text)?.[1] ?? []);
  const left = new Set([...named('not inlined'), ...stay.flatMap((names) => names.split(', '))]);
  return new Set(named('inlined').filter((name) => !left.has(name)));
}

test.each(own.items.map((item) => [item.id, item] as const))('%s', async (_, item) => {
  const { source, inputs, messages: answers } = item;
  const play = async (inline: number, sequential = false) => {
    const options = { inline, sequential, given: inputs, answers };
    const replies = ({ messages }: { messages: Parameters<typeof followed>[0] }): string =>
      followed(messages);
    const { result, said, prompts, journal } = await played(source.text, { ...options, replies });
    expect(result.error).toBeUndefined();
    expectNoMoreThanNeeded(journal, result.run);
    return { answer: result.answer, said, prompts, starts: begun(journal, result.run) };
  };
  const none = await play(0);
  expect(none.starts.length).toBeGreaterThan(0);
  for (const limit of [0, 8, 32]) {
    const beside = await play(limit);
    const { answer, said } = none;
    expect(beside).toMatchObject({ answer });
    // What is said in words of one's own is of variables, whose names are not the same.
    const isLiteral = (text: unknown): boolean => !/: "/.test(String(text));
    expect(beside.said.filter(isLiteral)).toEqual(said.filter(isLiteral));
    expect(beside.said).toHaveLength(said.length);
    expect(await play(limit, true)).toEqual(beside);
    const inlined = inlinedIn(source.text, limit);
    expect(beside.starts.filter((name) => inlined.has(name))).toEqual([]);
    const gone = none.starts.length - beside.starts.length;
    const saved = none.prompts.length - beside.prompts.length;
    expect(gone).toBeGreaterThanOrEqual(none.starts.filter((name) => inlined.has(name)).length);
    // Each that does not begin saves its own reply, and that of its caller behind it at most.
    expect(saved).toBeGreaterThanOrEqual(gone);
    expect(saved).toBeLessThanOrEqual(2 * gone);
  }
});

test.each(Object.entries(forms))(
  'returns before the end, inlined or not, in the form %s',
  async (_, form) => {
    const text = own.items.find(({ id }) => id === 'fares')?.source.text ?? '';
    const play = async (inline: number) => {
      const { result, said, prompts } = await played(text, {
        inline,
        replies({ messages }) {
          const asked = messages.map(({ content }) => content).join('\n');
          const of = [...asked.matchAll(/^(?:user: )?## (\w+)\(/gm)].at(-1)?.[1] ?? '';
          const ops: Op[] = followed(messages)
            .split('\n')
            .map((line) => JSON.parse(line))
            // Not all forms give values without names.
            .map(({ args, ...op }) => ({ ...op, ...(args && { args: { age: args[0] } }) }));
          return form({ of, ops }, text);
        },
      });
      expect(result.error).toBeUndefined();
      return { answer: result.answer, said, replies: prompts.length };
    };
    const apart = await play(0);
    expect(apart).toMatchObject({ answer: 12, said: ['0', '8', 'A full fare.', '12'] });
    expect(await play(8)).toEqual({ ...apart, replies: 1 });
  },
);

test('triggers fire as often, inlined or not', async () => {
  const text =
    '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Put(5)\n- Put(6)\n' +
    '- Name(7)\n- Return $q\n\n## Put(v)\n### Steps\n- $q = v\n- Say("put {v}")\n\n' +
    '## Name(v)\n### Steps\n- Put(v)\n- Say("seven")\n\n' +
    '## Big\n### Triggers\n- When $q > 3\n### Steps\n- Say("big {$q}")\n';
  const play = async (inline: number) => {
    const replies = ({ messages }: { messages: Parameters<typeof followed>[0] }): string =>
      followed(messages);
    const { result, said, prompts } = await played(text, { inline, replies });
    expect(result.error).toBeUndefined();
    return { said, replies: prompts.length };
  };
  const apart = await play(0);
  const said = ['big 5', 'put 5', 'big 6', 'put 6', 'big 7', 'put 7', 'seven'];
  expect(apart.said).toEqual(said);
  const within = await play(8);
  expect(within.said).toEqual(said);
  // Name sets nothing by itself.
  expect(within.replies).toBeLessThan(apart.replies);
});
