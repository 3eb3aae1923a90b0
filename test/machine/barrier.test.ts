/** Calls that look further behind a barrier: src/machine/window/issue.ts, as `llm_bind` makes them. */
import { describe, expect, test } from 'vitest';
import { createMachine } from '../../src/machine/create.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { bindingTool } from '../../src/program/tool-names.ts';
import { ofSample } from '../support/depth.ts';
import { bindingBodies, sourceOf } from '../support/random-starlark.ts';
import {
  type Answer,
  compile,
  drive,
  outcomeOf,
  tools,
  variable,
} from '../support/starlark-machine.ts';
import {
  holdsInAnyOrder,
  holdsInSmallWindows,
  holdsWhenRestored,
  type Programs,
} from './side-by-side.ts';

const known = new Map<string, ToolSpec>(tools).set(
  bindingTool,
  toolSpec({
    ...{ name: bindingTool, description: 'Finds arguments.', kind: 'model', effect: 'read' },
    parameters: { type: 'object', properties: {} },
  }),
);

const soFar = { args: {}, missing: [{ name: 'x', question: 'Which?' }] };
const isAgain = (id: string): boolean => /#\d+(?:\.1)+$/.test(id);
/** Finds what it looks for behind the barrier alone. */
const answer: Answer = (x, { id, tool }) => {
  if (tool !== bindingTool) return `<${String(x)}>`;
  return isAgain(id) ? { args: { x: 'found' } } : { barrier: soFar };
};

const bound = 'y = read(x = 1)\nz = llm_bind("text", "read(x)")\nw = read(x = 3)';

/** Up to where it waits, with what was asked for; outcomes by id. */
function machineOf(source: string) {
  const machine = createMachine(compile(source, known), { tools: known });
  const asked: string[] = [];
  const run = () => {
    const turn = machine.run(1e6);
    asked.push(...turn.requests.map(({ id }) => id));
    return turn;
  };
  run();
  const settled = (id: string, value: unknown) => {
    machine.settle(id, outcomeOf(value));
    return run();
  };
  return { asked, settled, machine };
}

describe('behind a barrier', () => {
  test('the same is asked again, with what it came to, once all before it is there', () => {
    const { asked, settled } = machineOf(bound);
    expect(asked).toEqual(['0#1', '0#2', '0#4']);
    expect(settled('0#2', { barrier: soFar }).requests).toEqual([]);
    expect(settled('0#4', 'three').requests).toEqual([]);
    const [again] = settled('0#1', 'one').requests;
    expect(again).toMatchObject({ id: '0#2.1', tool: bindingTool });
    expect(again).toMatchObject({ barrier: true });
    expect(JSON.parse(again?.args ?? '')).toMatchObject({ expr: 'text', barrier: soFar });
    const [call] = settled('0#2.1', { args: { x: 'found' } }).requests;
    expect(call).toMatchObject({ id: '0#3', args: '{"x":"found"}' });
    expect(settled('0#3', 'two').status).toBe('done');
  });

  test('of a loop the second rounds start side by side, the third ones in order', () => {
    const loop = 'y = [llm_bind(line, "read(x)") for line in ["a", "b", "c"]]\nz = read(x = 1)';
    const { asked, settled } = machineOf(`early = read(x = 0)\n${loop}`);
    expect(asked).toEqual(['0#1', '0#2', '0#4', '0#6', '0#8']);
    for (const id of ['0#2', '0#4', '0#6']) settled(id, { barrier: soFar });
    expect(asked).toHaveLength(5);
    const second = settled('0#1', 'early').requests;
    expect(second.map(({ id }) => id)).toEqual(['0#2.1', '0#4.1', '0#6.1']);
    const early = settled('0#4.1', { barrier: soFar });
    expect(early.requests).toEqual([]);
    settled('0#2.1', { args: { x: 'found' } });
    expect(asked.at(-1)).toBe('0#3');
    const [third] = settled('0#3', 'one').requests;
    expect(third).toMatchObject({ id: '0#4.1.1' });
    expect(third).not.toHaveProperty('barrier');
  });

  test('its result is no value of the program, and a second one is', () => {
    const driven = drive(bound, { tools: known, answer });
    expect(variable(driven, 'z')).toBe('<found>');
    expect(driven.ids).toEqual(['0#1', '0#2', '0#4', '0#2.1', '0#3']);
    const twice = drive(bound, {
      ...{ tools: known },
      answer: (x, request) => answer(x, { ...request, id: '0#2' }),
    });
    expect(twice.error).toContain('PV3043');
  });

  test('what fails before it comes first, and nothing is asked again', () => {
    const { asked, settled, machine } = machineOf(bound);
    settled('0#2', { barrier: soFar });
    expect(settled('0#1', new Error('broke')).status).toBe('failed');
    expect(machine.view().error).toMatchObject({ message: 'broke', line: 1 });
    expect(asked).not.toContain('0#2.1');
  });

  test('in an attempt, what stands before the attempt counts; in parallel, each is by itself', () => {
    const f = 'def f(x):\n    return llm_bind(x, "read(x)")\ny = read(x = 1)\n';
    const one = machineOf(`${f}z = attempt(f, "text")`);
    one.settled('0.1#1', { barrier: soFar });
    expect(one.asked).toEqual(['0#1', '0.1#1']);
    one.settled('0#1', 'one');
    expect(one.asked).toEqual(['0#1', '0.1#1', '0.1#1.1']);
    const many = machineOf(`${f}z = parallel(f, ["a", "b"])`);
    many.settled('0.2#1', { barrier: soFar });
    expect(many.asked).toEqual(['0#1', '0.1#1', '0.2#1', '0.2#1.1']);
  });

  test('a program that calls the tool itself has what it gives', () => {
    const driven = drive(`y = ${bindingTool}()["barrier"]["args"]`, { tools: known, answer });
    expect(variable(driven, 'y')).toEqual({});
  });
});

const programs: Programs<Parameters<typeof sourceOf>[0]> = {
  drawn: bindingBodies,
  ...{ sourceOf, tools: known, counted: false },
  answer(hash, id, tool) {
    if (hash % 9 === 0) return new Error(`${id} broke`);
    if (tool !== bindingTool) return `r${hash % 100}`;
    if (!isAgain(id) && hash % 2 === 0) return { barrier: soFar };
    return { args: { x: `b${hash % 100}` } };
  },
  parts: (hash) => Array.from({ length: hash % 3 }, (_, part) => `p${(hash >> part) % 100}`),
};

test('side by side = one at a time, with arguments that are found behind a barrier', () => {
  let again = 0;
  const count = ({ ids }: { readonly ids: readonly string[] }): void => {
    if (ids.some(isAgain)) again++;
  };
  const { done } = holdsInAnyOrder(programs, count, 500);
  for (const one of [again, done]) expect(one).toBeGreaterThan(ofSample(30));
});

test('restore(snapshot) = continue, at every instruction', () => {
  holdsWhenRestored(programs, 50);
});

test('a small window changes nothing but the overlap', () => {
  holdsInSmallWindows(programs, 150);
});
