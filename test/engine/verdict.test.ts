/** Verdicts on answers: kept behind the run's end, of the run that has answered alone. */
import { expect, test } from 'vitest';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { keepVerdict, withVerdicts } from '../../src/engine/judged.ts';
import { readPast } from '../../src/engine/past/read-past.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { ending, record } from './events.ts';

const verdict = { accept: true, reason: 'It is there.', suggestion: '', by: 'openai/m' };
const result: RunResult = {
  ...{ run: 'r1', status: 'done', answer: 2, variables: {}, warnings: [] },
  answers: [
    { value: 1, step: '0' },
    { value: 2, step: '1' },
  ],
  usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
};

function ended() {
  const journal = memoryJournal();
  const run = record('r1');
  const lease = journal.create(run, 'one', [{ type: 'run.started', run }]);
  journal.append(lease, [ending('run.finished')]);
  journal.release(lease);
  return journal;
}

test('the last word on an answer counts, and the run stays done', () => {
  const journal = ended();
  keepVerdict(journal, 'r1', { ...verdict, answer: 1, accept: false });
  keepVerdict(journal, 'r1', { ...verdict, answer: 1 });
  const { verdicts } = readPast(journal.events('r1'));
  expect(verdicts).toHaveLength(2);
  expect(withVerdicts(result, verdicts).answers).toEqual([
    { value: 1, step: '0' },
    { value: 2, step: '1', verdict },
  ]);
  expect(journal.find('r1')).toMatchObject({ status: 'done', owned: false });
});

test('a fork does not inherit what was said of its base', () => {
  const journal = ended();
  keepVerdict(journal, 'r1', { ...verdict, answer: 0 });
  const seq = journal.events('r1').length;
  const run = record('r2', { base: { run: 'r1', seq } });
  journal.create(run, 'one', [{ type: 'run.forked', run, edit: { by: 'person' } }]);
  expect(readPast(journal.events('r2')).verdicts).toEqual([]);
});

test('a run that somebody has is not judged meanwhile', () => {
  const journal = ended();
  journal.claim('r1', 'two');
  expect(() => keepVerdict(journal, 'r1', { ...verdict, answer: 0 }, 'one')).toThrow(
    expect.objectContaining({ code: 'PV5001' }),
  );
});
