/**
 * Loops over items that are known, by the command line, with a tool that writes a line into a file:
 * whatever a model says of the items, each has one line there, in its order.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const program = `# Library
## Main
### Triggers
- At the beginning
### Steps
- For each $book in ["Emma", "Dune", "Persuasion"]
  - $slip = lend($book)
  - Say("{$book}: {$slip}")
- Return "done"
`;

const tools = `
import { appendFileSync } from 'node:fs';
const book = { type: 'object', properties: { book: { type: 'string' } }, required: ['book'] };
const run = ({ book }) => {
  appendFileSync('lent', book + ' ');
  return 'lent';
};
export default [{ name: 'lend', description: 'Lends it.', effect: 'write', parameters: book, run }];
`;

const books = ['Emma', 'Dune', 'Persuasion'];
const at = (step: string) => ({ step });
const lend = (book: string): readonly object[] => [
  ...[at('01'), { set: { $book: book } }, at('01.01')],
  ...[{ call: 'lend', args: { book: '$book' }, into: '$slip' }, at('01.02'), { yield: 'call' }],
];
const said = [at('01.03'), { say: '{$book}: {$slip}' }, at('01.04')];
const end = [at('02'), { return: 'done' }];

/** The reply of a model that has lent so many, and does what it is told to. */
function goodReply(prompt: string, lent: number): string {
  const place = [...prompt.matchAll(/(?:Begin|Go on) at line (\d\d(?:\.\d\d)?)/g)].at(-1)?.[1];
  const book = books[lent];
  const next = book === undefined ? end : lend(book);
  return ops(...(place === '01.03' ? said : []), ...next);
}

describe.each<readonly [string, (lent: readonly string[]) => readonly object[]]>([
  ['leaves the loop', () => [...said, ...end]],
  ['does an item again', (lent) => [...said, ...lend(lent.at(-1) ?? '')]],
  ['takes another item', () => [...said, ...lend('Middlemarch')]],
])('a model that %s', (_, bad) => {
  const play = async (isAlways: boolean, strictness: string) => {
    let asked = 0;
    using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': tools });
    const file = join(folder.path, 'lent');
    const lines = (): string[] =>
      existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
    await using models = await startModelServer(({ prompt }) => {
      asked++;
      const lent = lines();
      const isBad = asked === 2 || (isAlways && asked > 2);
      return isBad ? ops(...bad(lent)) : goodReply(prompt, lent.length);
    });
    const args = ['run', 'x.playbook.md', '--tools', './tools.ts', '--yes', 'lend'];
    const ended = await folder.planvm(
      [...args, '--strictness', strictness, '--model', 'openai/test'],
      { env: models.env.openai },
    );
    return { ...ended, lent: lines(), asked };
  };

  test.each(['repair', 'enforce'])('once, does each item once: %s', async (strictness) => {
    const { code, stdout, lent, asked } = await play(false, strictness);
    expect(lent).toEqual(books);
    expect(stdout).toBe(`${books.map((book) => `${book}: lent\n`).join('')}done\n`);
    expect([code, asked]).toEqual([0, 5]);
  });

  test('always, is stopped', async () => {
    const { code, stderr, lent } = await play(true, 'repair');
    expect(lent).toEqual(['Emma']);
    expect(stderr).toContain('item 2 of 3, which is "Dune"');
    expect(stderr).toContain('error PV7303');
    expect(code).toBe(1);
  });
});
