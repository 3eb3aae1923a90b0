/** What a tool has had a model say while it was performed is paid, whatever becomes of the effect. */
import { expect, test } from 'vitest';
import type { Handler } from '../../src/engine/handler.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { byName, programOf, quickTool, resume, start, watchedJournal } from './support.ts';

const said = { model: 'a/b', request: '[]', reply: 'yes' };
const one = programOf([{ tool: 'server' }]);

/** Has a model say something twice, then answers; with `dies`, it never gets so far. */
function server(dies = false): Handler {
  return quickTool('server', async (_, context) => {
    context.use({ modelCalls: 1, inputTokens: 10, outputTokens: 1, cost: 0.25 });
    context.sampled?.(said);
    context.use({ modelCalls: 1, inputTokens: 20, outputTokens: 2, cost: 0.25 });
    context.sampled?.(said);
    if (dies) await new Promise(() => {});
    context.use({ modelCalls: 1, inputTokens: 5, outputTokens: 0, cost: 0.5 });
    return 'done';
  });
}

const usage = { modelCalls: 3, inputTokens: 35, outputTokens: 3, cost: 1 };

test('each saying is journaled with what it used, the rest with the effect, nothing twice', async () => {
  const run = start({ program: one, handlers: byName(server()) });
  expect(await run.result).toMatchObject({ status: 'done', usage });
  const used = run.journal
    .events(run.id)
    .flatMap((event) => ('usage' in event && event.usage ? [event.usage.inputTokens] : []));
  expect(used).toEqual([10, 20, 5]);
});

test('what a process has paid that died is in the usage of the run', async () => {
  const journal = memoryJournal({ isGone: () => true });
  const { promise: kept, resolve: keep } = Promise.withResolvers<void>();
  let sayings = 0;
  const watched = watchedJournal(journal, (events) => {
    sayings += events.filter(({ type }) => type === 'effect.sampled').length;
    if (sayings === 2) keep();
  });
  const first = start({
    journal: watched,
    program: one,
    handlers: byName(server(true)),
    owner: 'a',
  });
  first.result.catch(() => {});
  await kept;
  const again = { journal, run: first.id, program: one, handlers: byName(server()), owner: 'b' };
  expect(await resume(again).result).toMatchObject({
    status: 'done',
    usage: { modelCalls: 5, inputTokens: 65, outputTokens: 6, cost: 1.5 },
  });
});
