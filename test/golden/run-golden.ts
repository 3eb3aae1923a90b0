/**
 * Runs a corpus of golden files. A file opens with sentences on what it shows; then come sections,
 * each under a line `=== NAME`. A person writes
 *
 * - `tools`: `read search(query, limit)`, a line for each tool, its class first;
 * - `limits`: `stepVisits 3`, a line for each of the machine's limits that is not the default;
 * - `inputs`: variables that are set beforehand, as `name = VALUE`;
 * - `source`: the program; if it is `.open`, `more` is what is appended once it waits for text;
 * - `outcomes`: `search {"query":"a"} = VALUE` or `… ! CODE message`; `search *` stands for the
 *   arguments that no line names, an effect id `0#3` for one effect. Values are tagged JSON; of a
 *   call that is read as a stream the list of its parts;
 *
 * and the corpus keeps what comes of it: `diagnostics`, or `listing`, `trace` and `result`. The
 * listing is left out of programs that are long, and the matter of other tests.
 * `UPDATE=1 npx vitest run test/golden` writes these anew; the difference is then read and judged.
 *
 * Each program runs plainly, with outcomes in several orders, with a window of one entry, and taken
 * apart and put together after every instruction: all of it must come to the same. Where the last
 * takes long, it is done in one order, and in the others after some instructions each time.
 */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { disassemble } from '../../src/analysis/disassembler.ts';
import { verify } from '../../src/analysis/verifier.ts';
import type { Diagnostic } from '../../src/program/diagnostic.ts';
import type { Program } from '../../src/program/program.ts';
import { isDeep, points, testSeed } from '../support/depth.ts';
import { filesUnder, root, textOf } from '../support/repo.ts';
import { drive, type Policy, type Run, randomFrom } from './drive.ts';
import { type Script, scriptOf } from './script.ts';

export type Compile = (
  source: string,
  script: Script,
) => { program?: Program | undefined; diagnostics?: readonly Diagnostic[] | undefined };

/**
 * Declares the tests of a folder under test/golden/. `isListed`: whether files hold the source of
 * their programs, and so the listing and the places in it.
 */
export function golden(folder: string, compile: Compile, { isListed = true } = {}): void {
  const files = filesUnder(`test/golden/${folder}`);
  test(`the corpus ${folder} is there`, () => expect(files.length).toBeGreaterThan(0));
  describe.each(files)('%s', (path) => {
    const sections = sectionsOf(textOf(path));
    const script = scriptOf(sections);
    const { stages, problems } = stagesOf(sections, script, compile);

    test('gives what the file says', () => {
      const found =
        problems.length === 0
          ? resultSections(stages, script, isListed)
          : new Map([['diagnostics', problems.map((one) => `${diagnosticText(one)}\n`).join('')]]);
      if (process.env.UPDATE === '1') write(path, sections, found);
      for (const [name, text] of found) {
        expect(`${name}:\n${text}`).toBe(`${name}:\n${sections.get(name) ?? ''}`);
      }
      expect(generated.filter((name) => sections.has(name))).toEqual([...found.keys()]);
    });

    if (problems.length > 0) return;
    test('comes to the same, whatever the order of outcomes', () => {
      const plain = drive(stages, script, plainly);
      for (const seed of points(1, 4, 12)) {
        compare(drive(stages, script, inOrderOf(seed)), plain, `seed ${seed}`);
      }
    });
    test('comes to the same one effect at a time', () => {
      const plain = drive(stages, script, plainly);
      compare(drive(stages, script, { ...plainly, windowEntries: 1 }), plain, 'one at a time');
    });
    test('comes to the same when restored after every instruction', () => {
      const plain = drive(stages, script, plainly);
      const apart = drive(stages, script, { ...plainly, fuel: bySteps(), restore: true });
      compare(apart, plain, 'restored');
      expect(withoutCancels(apart)).toEqual(withoutCancels(plain));
      for (const seed of points(1, 3, 3)) {
        const order = inOrderOf(seed);
        const fuel = apart.turns > turnsOfLong ? () => 3 * order.fuel() : () => 1;
        const policy = { ...order, fuel, restore: true };
        compare(drive(stages, script, policy), plain, `restored, seed ${seed}`);
      }
    });
  });
}

/** The program as it grows, or what is wrong with it. */
function stagesOf(
  sections: ReadonlyMap<string, string>,
  script: Script,
  compile: Compile,
): { stages: Program[]; problems: readonly Diagnostic[] } {
  const source = sections.get('source') ?? '';
  const more = sections.get('more');
  const texts = more === undefined ? [source] : [source, source.replace(/^\.open$/m, '') + more];
  const compiled = texts.map((text) => compile(text, script));
  const stages = compiled.flatMap(({ program }) => program ?? []);
  const unread = compiled.flatMap(({ diagnostics }) => diagnostics ?? []);
  return { stages, problems: unread.length > 0 ? unread : stages.flatMap((one) => verify(one)) };
}

/**
 * What a program costs that is restored after every instruction grows with the square of its
 * length. Longer ones than this are restored so often at first, and then after stretches.
 */
const turnsOfLong = isDeep ? 6_000 : 300;

/** After every instruction at first, and after ever fewer of them once there were very many. */
function bySteps(): () => number {
  let turns = 0;
  return () => (++turns > turnsOfLong ? 1 + ((turns + testSeed) % ((turns / 10) | 0)) : 1);
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
  if (plain.result.startsWith('done') && !plain.failures) {
    expect([...found.requests.keys()].sort(), how).toEqual([...plain.requests.keys()].sort());
  }
}

/** What was open when a machine was taken apart is not running any more: no one is told to stop. */
const withoutCancels = ({ trace }: Run): string[] =>
  trace.filter((line) => !line.startsWith('cancel '));

const generated = ['diagnostics', 'listing', 'trace', 'result'];

function resultSections(
  stages: readonly Program[],
  script: Script,
  isListed: boolean,
): Map<string, string> {
  const { trace, result } = drive(stages, script, plainly);
  const traced = trace.map((line) => `${line}\n`).join('');
  if (!isListed) {
    return new Map([
      ['trace', withoutPlaces(traced)],
      ['result', withoutPlaces(result)],
    ]);
  }
  return new Map([
    ['listing', stages.slice(-1).map(disassemble).join('')],
    ['trace', traced],
    ['result', result],
  ]);
}

/** Of a text that is not in the file, its lines say nothing, and move with every change of it. */
const withoutPlaces = (text: string): string => text.replace(/(?: at|,)? \d+:\d+$/gm, '');

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
