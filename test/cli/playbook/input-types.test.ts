/** Inputs of another type than the playbooks take that begin: refused before anything is played. */
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
  ['times=many', 'got "many", want a value of the type int'],
  ['times=2.5', 'got 2.5, want a value of the type int'],
  ['all=["a"]', 'got ["a"], want a value of the type list[int]'],
  ['how=[]', 'got [], want a value of the type str|None'],
])('--input %s', async (given, want) => {
  using folder = new Folder({ 'x.playbook.md': text });
  const inputs = ['--input', 'word=hi', '--input', given];
  const { code, stdout, stderr } = await folder.planvm([...args, ...inputs]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`PV6007: the input ${given.split('=')[0]}: ${want}`);
});

test('what fits is taken, also a number that is written as a text', async () => {
  using folder = new Folder({ 'x.playbook.md': text });
  const given = ['word=hi', 'times="4"', 'all=[1, 2]', 'how=cold'];
  const done = await folder.planvm([...args, ...given.flatMap((one) => ['--input', one])]);
  expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining('error')]);
});
