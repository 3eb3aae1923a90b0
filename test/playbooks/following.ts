/** Models that follow the playbook that they are shown, and write that in a form of replies. */
import type { Message, Model } from '../../src/effects/model/model.ts';
import { followed } from '../support/playbook-follower.ts';
import type { Form, Op } from './forms.ts';

type Reply = (asked: { readonly messages: readonly Message[] }) => string;

/** Not all forms give values without names: what is called has them as the model is told of it. */
export const followedIn =
  (form: Form, program: string): Reply =>
  ({ messages }) => {
    const all = messages.map(({ content }) => content);
    const of = [...all.join('\n').matchAll(/^## (\w+)\(/gm)].at(-1)?.[1] ?? '';
    const names = new Map(
      [...(all[0] ?? '').matchAll(/^- ([\w.]+)\(([^)]*)\)/gm)].map(
        ([, name = '', given = '']) => [name, given.match(/\w+(?=\??(?::|,|$))/g) ?? []] as const,
      ),
    );
    const ops: Op[] = followed(messages)
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((op) => (Array.isArray(op.args) ? { ...op, args: named(op, names.get(op.call)) } : op));
    return form({ of, ops }, program);
  };

const named = ({ args }: { args: readonly unknown[] }, names: readonly string[] = []): object =>
  Object.fromEntries(args.map((one, at) => [names[at] ?? `${at}`, one]));

/** Writes half a line at a time, with a pause behind each; each whole one is journaled for itself. */
export const slowly = (reply: Reply): Model => ({
  name: 'slowly',
  async complete(request, context) {
    const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: 0 };
    context.use(usage);
    const text = reply(request);
    for (const line of text.split(/(?<=\n)/)) {
      const half = line.length >> 1;
      for (const piece of [line.slice(0, half), line.slice(half)]) {
        if (context.signal.aborted) throw context.signal.reason;
        context.progress(piece);
        for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return { text, finishReason: 'stop', usage };
  },
});
