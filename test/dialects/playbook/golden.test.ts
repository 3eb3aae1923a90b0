/** Whole programs and what they compile to; `UPDATE=1` writes the compiled files anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import { printCompiled } from '../../../src/dialects/playbook/pbasm/print.ts';
import { readCompiled } from '../../../src/dialects/playbook/pbasm/read-compiled.ts';
import { filesUnder } from '../../support/repo.ts';
import { fileOf } from './written.ts';

const sources = filesUnder('test/golden/playbook').filter((path) => path.endsWith('.playbook.md'));

test('there are programs', () => expect(sources.length).toBeGreaterThan(4));

describe.each(sources)('%s', (path) => {
  const compiled = fileOf(readFileSync(path, 'utf8'), ['WebSearch']);
  const target = path.replace('.playbook.md', '.pbasm');

  test(`compiles to ${basename(target)}, which reads back as the same`, () => {
    const printed = printCompiled(compiled);
    if (process.env.UPDATE) writeFileSync(target, printed);
    expect(printed).toBe(readFileSync(target, 'utf8'));
    expect(readCompiled(printed)).toEqual({ compiled, diagnostics: [] });
  });

  test('links, and every line of it is on a way', () => {
    for (const { lines } of link(compiled).agents.flatMap(({ playbooks }) => playbooks)) {
      for (const { edges } of lines.values()) {
        for (const { to } of edges) expect(to === '' || lines.has(to)).toBe(true);
      }
    }
  });
});

test('large and hostile texts take no longer than they are long', () => {
  const steps = Array.from({ length: 3000 }, (_, at) => `- $v${at % 50} = F($v${(at * 7) % 50})`);
  const text = `# A\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps.join('\n')}\n`;
  expect(link(fileOf(text, ['F'])).agents[0]?.playbooks[0]?.lines.size).toBeGreaterThan(3000);
  const odd = ['(', '"', 'If a, ', 'F(', '{$x', '- ', 'and then ', '$x = ', "'", 'a. B'];
  for (const part of odd) {
    const line = part.repeat(40_000 / part.length);
    expect(fileOf(`# A\n## Main\n### Steps\n- ${line}\n`, ['F']).agents).toHaveLength(1);
  }
  const deep = Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}- If $x`).join('\n');
  expect(fileOf(`# A\n## Main\n### Steps\n${deep}\n`).agents).toHaveLength(1);
});
