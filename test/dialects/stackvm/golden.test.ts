/**
 * The golden plans: what check says about each, what it is lowered to, and what it does when it
 * runs with tools that answer by a fixed rule, whatever the order in which they answer.
 * `vitest -u` writes new expectations.
 */
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { disassemble } from '../../../src/analysis/disassembler.ts';
import { renderAll } from '../../../src/dialects/diagnostic.ts';
import { checkProgram } from '../../../src/dialects/index.ts';
import type { Request } from '../../../src/program/effect.ts';
import type { Program } from '../../../src/program/program.ts';
import { float, list, type Value } from '../../../src/program/value.ts';
import { drive, type Policy, randomFrom } from '../../golden/drive.ts';
import type { Script } from '../../golden/script.ts';
import { filesUnder, root, textOf } from '../../support/repo.ts';
import { environment, tools } from './plans.ts';

const inputs: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['user_question', 'Why?'],
  ['sales_data', list([1, float(2.5)])],
]);

const script: Script = {
  tools,
  inputs,
  limits: { stepVisits: 50 },
  outcome: (request) => ({ ok: true, value: JSON.stringify(answer(request)) }),
};

/** Names tool and effect, once for each key that is asked for; yes, no, yes, … to conditions. */
function answer({ id, tool, args }: Request): unknown {
  const name = `${tool} ${id}`;
  if (tool === 'llm_condition') {
    return { result: Number(id.split('#')[1]) % 4 > 1, explanation: name };
  }
  const { response_format: format } = JSON.parse(args) as { response_format?: { keys?: string[] } };
  if (!Array.isArray(format?.keys)) return name;
  return Object.fromEntries(format.keys.map((key) => [key, `${key} of ${name}`]));
}

const plainly: Policy = { fuel: () => 100_000, pick: () => 0, eager: () => false };

function inAnyOrder(seed: number, restore: boolean): Policy {
  const random = randomFrom(seed);
  return {
    fuel: () => 1 + random(restore ? 2 : 40),
    pick: (count) => random(count),
    eager: () => random(3) === 0,
    restore,
  };
}

const listing = (program: Program): string =>
  disassemble(program).replace(/ source ".*"(?= +;)/g, '');

describe.each(['stackvm-1', 'stackvm-2'])('%s', (dialect) => {
  const files = filesUnder(`test/golden/${dialect}`).filter((path) => !path.endsWith('.expected'));

  test.each(files.map((path) => [basename(path), path] as const))('%s', async (file, path) => {
    const text = textOf(path);
    const checked = checkProgram(text, environment(...inputs.keys()));
    expect(checked.dialect).toBe(dialect);
    const parts = [`${renderAll(checked.diagnostics, text, { file }) || 'nothing to say'}\n`];
    if (checked.program) {
      const { trace, result } = drive([checked.program], script, plainly);
      parts.push(listing(checked.program), trace.map((line) => `${line}\n`).join(''), result);
    }
    const expected = `test/golden/${dialect}/${file.replace(/\.\w+$/, '.expected')}`;
    await expect(parts.join('\n----\n\n')).toMatchFileSnapshot(`${root}/${expected}`);
  });

  test.each(files.map((path) => [basename(path), path] as const))(
    '%s comes to the same in any order, and when it is taken apart',
    (_, path) => {
      const { ok, program } = checkProgram(textOf(path), environment(...inputs.keys()));
      expect(program !== undefined).toBe(ok);
      if (!program) return;
      const plain = drive([program], script, plainly);
      for (let seed = 1; seed <= 8; seed++) {
        const found = drive([program], script, inAnyOrder(seed, seed > 6));
        expect(found.result).toBe(plain.result);
        for (const [id, request] of found.requests) expect(plain.requests.get(id)).toBe(request);
      }
      const alone = drive([program], script, { ...plainly, windowEntries: 1 });
      expect(alone.result).toBe(plain.result);
    },
  );
});
