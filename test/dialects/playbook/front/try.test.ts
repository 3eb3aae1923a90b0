import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { compilePlaybooks, countLines } from '../../../../src/dialects/playbook/compile/compile.ts';
import { flatLines } from '../../../../src/dialects/playbook/compiled.ts';
import { readPlaybooks } from '../../../../src/dialects/playbook/source/read.ts';

test('try', () => {
  for (const path of process.env.FILES?.split(' ') ?? []) {
    const { file, diagnostics } = readPlaybooks(readFileSync(path, 'utf8'));
    const compiled = compilePlaybooks(file);
    console.log(
      path,
      countLines(compiled),
      diagnostics.map((d) => d.code + ' ' + d.message).join('\n'),
    );
    const out = compiled.agents.flatMap((a) =>
      a.playbooks.flatMap((p) => [
        `## ${a.name}.${p.name} ${p.mode}`,
        ...p.triggers.map((t) => `  ${t.code} ${t.text} ${t.condition?.code ?? ''}`),
        ...flatLines(p.lines).map(
          (l) => `${l.number}:${l.code} ${l.text}\n        ${JSON.stringify(l.does)}`,
        ),
      ]),
    );
    console.log(out.join('\n'));
  }
});
