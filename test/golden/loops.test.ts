/** The corpus test/golden/loops: the control loops of src/loops, each against its effects. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { link } from '../../src/dialects/playbook/link/link.ts';
import { compiledOf, readTree } from '../../src/dialects/playbook/reader.ts';
import { withReply } from '../../src/dialects/playbook/weave/reply.ts';
import { weave } from '../../src/dialects/playbook/weave/weave.ts';
import { type LoopName, loopFiles, loopNames, loopSource } from '../../src/planner/loop-source.ts';
import type { ToolSpec } from '../../src/program/effect.ts';
import { filesUnder, textOf } from '../support/repo.ts';
import { type Compile, golden } from './run-golden.ts';

/** The name of a loop; behind that of one that plays playbooks stand the playbooks. */
const compile: Compile = (source, { tools = new Map(), inputs = new Map() }) => {
  const [name = '', ...lines] = source.trim().split('\n');
  const loop = loopSource(name.replace('.star', '') as LoopName);
  const text = lines.length === 0 ? loop : woven(lines.join('\n'), loop, tools);
  return checkProgram(text, { tools, inputs: [...inputs.keys()] }, { dialect: 'starlark' });
};

// What Starlark compiles to is no matter of these, and a listing of a loop has 13 000 lines.
golden('loops', compile, { isListed: false });

function woven(playbooks: string, loop: string, tools: ReadonlyMap<string, ToolSpec>): string {
  const file = compiledOf(readTree(playbooks).tree, tools.values());
  return weave(withReply(link(file, { inlineSteps: 0 })), { loop, tools });
}

test.each(loopNames)('the loop %s has a file and golden runs', (name) => {
  const runs = filesUnder('test/golden/loops').filter((path) =>
    textOf(path).includes(`=== source\n${name}.star\n`),
  );
  expect(runs.length).toBeGreaterThan(1);
});

test('each file of src/loops is a loop with a name', () => {
  expect(filesUnder('src/loops')).toEqual(
    loopNames
      .flatMap(loopFiles)
      .map((file) => `src/${file}`)
      .sort(),
  );
});
