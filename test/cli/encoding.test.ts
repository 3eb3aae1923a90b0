/** Programs whose bytes are no text in UTF-8: said at the first of them, whatever the dialect. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decoded } from '../../src/agent/program/source.ts';
import { Folder } from '../support/cli.ts';

const playbook = (word: string): string =>
  `# A\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Say "é ${word}"\n`;

test.each([
  ['a.playbook.md', playbook('\xe8!'), '6:10', 'E8'],
  ['a.pbasm', playbook('\xff'), '6:10', 'FF'],
  ['a.star', 'answer("é \xe2\x82!")\n', '1:11', 'E2'],
  ['a.json', '[{"type": "assign"},\n "\xc0"]\n', '2:3', 'C0'],
])('%s', async (name, text, place, byte) => {
  using folder = new Folder({});
  // What is written as é is in UTF-8, what is written as a byte is not.
  const bytes = [...text].map((one) =>
    one === 'é' ? Buffer.from(one) : Buffer.from(one, 'latin1'),
  );
  writeFileSync(join(folder.path, name), Buffer.concat(bytes));
  for (const command of ['check', 'run', 'compile']) {
    const { code, stdout, stderr } = await folder.planvm([command, name]);
    expect([command, code]).toEqual([command, 3]);
    const wanted = `${name}:${place}: error PV2007: got the byte ${byte}, want a text in UTF-8`;
    expect(stdout + stderr).toContain(wanted);
  }
});

test('where the first wrong byte is, of texts cut at any place', () => {
  const whole = Buffer.from('aé€😀\n'.repeat(3));
  const ends = new Set(
    [...'aé€😀\n'.repeat(3)].map(
      (
        (at) => (one) =>
          (at += Buffer.byteLength(one))
      )(0),
    ),
  );
  for (let end = 1; end <= whole.length; end++) {
    const { wrong } = decoded(whole.subarray(0, end));
    expect([end, wrong === undefined]).toEqual([end, ends.has(end)]);
  }
  expect(decoded(Buffer.from('\ufeffa'))).toEqual({ text: 'a' });
  const far = Buffer.concat([whole, Buffer.from([0x80]), whole]);
  expect(decoded(far).wrong).toMatchObject({ line: 4, column: 1 });
  expect(decoded(Buffer.concat([far, Buffer.from([0xff])])).wrong).toMatchObject({ line: 4 });
});
