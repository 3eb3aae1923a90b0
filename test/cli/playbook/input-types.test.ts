/** Inputs of another type than the playbooks take that begin: the run ends where they begin. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';

const text = `# Desk

## First(word)
### Triggers
- At the beginning
### Steps
- Say("{word}")

## Second(word, times:int=2, all:list[int]=[], how:str|None="hot")
### Triggers
- At the beginning
### Steps
- Return times
`;

const args = ['run', 'x.playbook.md', '--no-input', '-q'];

test.each([
  ['times=many', 'got "many" for times of Second, want a value of the type int'],
  ['times=2.5', 'got 2.5 for times of Second, want a value of the type int'],
  ['all=["a"]', 'got ["a"] for all of Second, want a value of the type list[int]'],
  ['how=[]', 'got [] for how of Second, want a value of the type str|None'],
])('--input %s', async (given, want) => {
  using folder = new Folder({ 'x.playbook.md': text });
  const inputs = ['--input', 'word=hi', '--input', given];
  const { code, stderr } = await folder.planvm([...args, ...inputs]);
  expect(code).toBe(1);
  expect(stderr).toContain('PV7314');
  expect(stderr).toContain(want);
});

test('what fits is taken, also a number that is written as a text', async () => {
  using folder = new Folder({ 'x.playbook.md': text });
  const given = ['word=hi', 'times="4"', 'all=[1, 2]', 'how=cold'];
  const done = await folder.planvm([...args, ...given.flatMap((one) => ['--input', one])]);
  expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining('error')]);
});
