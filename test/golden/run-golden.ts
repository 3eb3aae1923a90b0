/**
 * Runs a corpus of golden files. A file opens with sentences on what it shows; then come sections,
 * each under a line `=== NAME`. A person writes
 *
 * - `tools`: `read search(query, limit)`, a line for each tool, its class first;
 * - `limits`: `stepVisits 3`, a line for each of the machine's limits that is not the default;
 * - `inputs`: variables that are set beforehand, as `name = VALUE`;
 * - `source`: the program;
 * - `outcomes`: `search {"query":"a"} = VALUE` or `… ! CODE message`; `search *` stands for the
 *   arguments that no line names, an effect id `0#3` for one effect. Values are tagged JSON;
 *
 * and the corpus keeps what comes of it: `diagnostics`, or `listing`, `trace` and `result`.
 * `UPDATE=1 npx vitest run test/golden` writes these anew; the difference is then read and judged.
 *
 * Each program runs plainly, with outcomes in several orders, with a window of one entry, and taken
 * apart and put together after every instruction: all of it must come to the same.
 */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/program/diagnostic.ts';
import { disassemble } from '../../src/program/disassembler.ts';
import type { Program } from '../../src/program/program.ts';
import { verify } from '../../src/program/verifier.ts';
import { filesUnder, root, textOf } from '../support/repo.ts';
import { drive, type Policy, type Run, randomFrom } from './drive.ts';
import { type Script, scriptOf } from './script.ts';

export type Compile = (
  source: string,
  script: Script,
) => { program?: Program | undefined; diagnostics?: readonly Diagnostic[] | undefined };

/** Declares the tests of a folder under test/golden/. */
export function golden(folder: string, compile: Compile): void {
  const files = filesUnder(`test/golden/${folder}`);
  test(`the corpus ${folder} is there`, () => expect(files.length).toBeGreaterThan(0));
  describe.each(files)('%s', (path) => {
    const sections = sectionsOf(textOf(path));
    const script = scriptOf(sections);
    const { program, diagnostics = [] } = compile(sections.get('source') ?? '', script);
    const problems = program ? verify(program) : diagnostics;

    test('gives what the file says', () => {
      const found =
        program && problems.length === 0
          ? resultSections(program, script)
          : new Map([['diagnostics', `${problems.map(diagnosticText).join('\n')}\n`]]);
      if (process.env.UPDATE === '1') write(path, sections, found);
      for (const [name, text] of found)
        expect(`${name}:\n${text}`).toBe(`${name}:\n${sections.get(name) ?? ''}`);
      expect(generated.filter((name) => sections.has(name))).toEqual([...found.keys()]);
    });

    if (!program || problems.length > 0) return;
    const plain = drive(program, script, plainly);
    test('comes to the same, whatever the order of outcomes', () => {
      for (let seed = 1; seed <= 12; seed++) {
        compare(drive(program, script, inOrderOf(seed)), plain, `seed ${seed}`);
      }
    });
    test('comes to the same one effect at a time', () => {
      compare(drive(program, script, { ...plainly, windowEntries: 1 }), plain, 'one at a time');
    });
    test('comes to the same when restored after every instruction', () => {
      const apart = drive(program, script, { ...plainly, fuel: () => 1, restore: true });
      compare(apart, plain, 'restored');
      expect(withoutCancels(apart)).toEqual(withoutCancels(plain));
      for (let seed = 1; seed <= 3; seed++) {
        const policy = { ...inOrderOf(seed), fuel: () => 1, restore: true };
        compare(drive(program, script, policy), plain, `restored, seed ${seed}`);
      }
    });
  });
}

const plainly: Policy = { fuel: () => 100_000, pick: () => 0, eager: () => false };

/** Outcomes arrive in any order, some while the machine still has something to do. */
function inOrderOf(seed: number): Policy {
  const random = randomFrom(seed);
  return {
    fuel: () => 1 + random(40),
    pick: (count) => random(count),
    eager: () => random(3) === 0,
  };
}

/** One value, one order of writes and emits, one error; and the same arguments under each id. */
function compare(found: Run, plain: Run, how: string): void {
  expect(found.result, how).toBe(plain.result);
  expect(found.writes, how).toEqual(plain.writes);
  for (const [id, request] of found.requests) {
    const known = plain.requests.get(id);
    if (known !== undefined) expect(`${id} ${request}`, how).toBe(`${id} ${known}`);
  }
  if (!plain.failures && !found.failures) {
    expect([...found.requests.keys()].sort(), how).toEqual([...plain.requests.keys()].sort());
  }
}

/** What was open when a machine was taken apart is not running any more: no one is told to stop. */
const withoutCancels = ({ trace }: Run): string[] =>
  trace.filter((line) => !line.startsWith('cancel '));

const generated = ['diagnostics', 'listing', 'trace', 'result'];

function resultSections(program: Program, script: Script): Map<string, string> {
  const { trace, result } = drive(program, script, plainly);
  return new Map([
    ['listing', disassemble(program)],
    ['trace', trace.map((line) => `${line}\n`).join('')],
    ['result', result],
  ]);
}

const diagnosticText = ({ code, line, column, message, hint }: Diagnostic): string =>
  `${code} ${line}:${column} ${message}${hint === undefined ? '' : ` (${hint})`}`;

/** Sections by name; what stands before the first is named by the empty string. */
function sectionsOf(text: string): Map<string, string> {
  const [heading = '', ...parts] = text.split(/^=== (?=\w+\n)/m);
  const sections = new Map([['', heading]]);
  for (const part of parts) {
    const end = part.indexOf('\n');
    sections.set(part.slice(0, end), part.slice(end + 1));
  }
  return sections;
}

function write(path: string, sections: Map<string, string>, found: Map<string, string>): void {
  for (const name of generated) sections.delete(name);
  for (const [name, text] of found) sections.set(name, text);
  const text = [...sections].map(([name, body]) => (name === '' ? body : `=== ${name}\n${body}`));
  writeFileSync(`${root}/${path}`, text.join(''));
}
