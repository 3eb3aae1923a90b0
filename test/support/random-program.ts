/**
 * Random programs for properties: statements over a few global variables, compiled with the
 * program builder. They call tools of every class with arguments that may be pending, build and
 * change containers, branch and loop on results, emit, and handle failures.
 */
import fc from 'fast-check';
import { ChunkBuilder, ProgramBuilder } from '../../src/program/builder.ts';
import { toolSpec } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';

export type Statement =
  | { kind: 'call'; tool: 'pure' | 'read' | 'write'; from: Variable; into: Variable }
  | { kind: 'template'; a: Variable; b: Variable; into: Variable }
  | { kind: 'list'; a: Variable; b: Variable; into: Variable }
  | { kind: 'add'; a: Variable; b: Variable; into: Variable }
  | { kind: 'index'; of: Variable; at: number; into: Variable }
  | { kind: 'change'; of: Variable; at: number; from: Variable }
  | { kind: 'emit'; from: Variable }
  | { kind: 'if'; on: Variable; yes: Statement[]; no: Statement[] }
  | { kind: 'for'; over: Variable[]; into: Variable; body: Statement[] }
  | { kind: 'try'; tool: 'read' | 'write'; from: Variable; into: Variable }
  | { kind: 'apply'; a: Variable; into: Variable };

export type Variable = 'a' | 'b' | 'c' | 'd';

const variable = fc.constantFrom<Variable>('a', 'b', 'c', 'd');
const position = fc.integer({ min: 0, max: 2 });

export const statements: fc.Arbitrary<Statement[]> = fc.letrec<{ block: Statement[] }>((tie) => ({
  block: fc.array(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      ...simple(),
      fc.record({
        kind: fc.constant('if' as const),
        on: variable,
        yes: tie('block'),
        no: tie('block'),
      }),
      fc.record({
        kind: fc.constant('for' as const),
        over: fc.array(variable, { maxLength: 3 }),
        into: variable,
        body: tie('block'),
      }),
    ) as fc.Arbitrary<Statement>,
    { maxLength: 7 },
  ),
})).block;

function simple(): { arbitrary: fc.Arbitrary<Statement>; weight: number }[] {
  const kind = <K extends string>(name: K): fc.Arbitrary<K> => fc.constant(name);
  return [
    {
      arbitrary: fc.record({
        kind: kind('call'),
        tool: fc.constantFrom('pure' as const, 'read' as const, 'read' as const, 'write' as const),
        from: variable,
        into: variable,
      }),
      weight: 6,
    },
    {
      arbitrary: fc.record({ kind: kind('template'), a: variable, b: variable, into: variable }),
      weight: 2,
    },
    {
      arbitrary: fc.record({ kind: kind('list'), a: variable, b: variable, into: variable }),
      weight: 2,
    },
    {
      arbitrary: fc.record({ kind: kind('add'), a: variable, b: variable, into: variable }),
      weight: 1,
    },
    {
      arbitrary: fc.record({ kind: kind('index'), of: variable, at: position, into: variable }),
      weight: 1,
    },
    {
      arbitrary: fc.record({ kind: kind('change'), of: variable, at: position, from: variable }),
      weight: 1,
    },
    { arbitrary: fc.record({ kind: kind('emit'), from: variable }), weight: 2 },
    {
      arbitrary: fc.record({
        kind: kind('try'),
        tool: fc.constantFrom('read' as const, 'write' as const),
        from: variable,
        into: variable,
      }),
      weight: 2,
    },
    { arbitrary: fc.record({ kind: kind('apply'), a: variable, into: variable }), weight: 1 },
  ];
}

export const tools = new Map(
  (['pure', 'read', 'write'] as const).map((name) => [
    name,
    toolSpec({
      name,
      description: name,
      effect: name,
      parameters: { type: 'object', properties: { x: {} } },
    }),
  ]),
);

/** The program of some statements; every variable starts as a short text. */
export function compile(body: readonly Statement[]): Program {
  const program = new ProgramBuilder('assembly');
  const main = new ChunkBuilder('main');
  for (const name of ['a', 'b', 'c', 'd']) {
    main.constant(name).emit('SETGLOBAL', program.global(name));
  }
  main.emit('TUPLE', 0).emit('FUNC', 1).emit('SETGLOBAL', program.global('pair'));
  block({ program, main, line: 1 }, body, 0);
  program.add(main.constant(null).emit('RETURN').seal());
  program.add(
    new ChunkBuilder('pair')
      .emit('LOCAL', 0)
      .emit('LOCAL', 0)
      .emit('LIST', 2)
      .emit('RETURN')
      .seal({
        role: 'function',
        locals: ['x'],
        parameters: { positional: 1, named: 0, defaults: 0 },
      }),
  );
  return program.build();
}

interface Target {
  readonly program: ProgramBuilder;
  readonly main: ChunkBuilder;
  line: number;
}

/** `nesting` is the number of iterators below on the operand stack. */
function block(target: Target, body: readonly Statement[], nesting: number): void {
  const { program, main } = target;
  for (const item of body) {
    const line = ++target.line;
    const step = program.step({ label: String(line), kind: item.kind, line, column: 1 });
    main.at(line, 1).emit('STEP', step);
    statement(target, item, nesting);
  }
}

function statement(target: Target, item: Statement, nesting: number): void {
  const { program, main } = target;
  const get = (name: Variable): ChunkBuilder => main.emit('GLOBAL', program.global(name));
  const put = (name: Variable): ChunkBuilder => main.emit('SETGLOBAL', program.global(name));
  switch (item.kind) {
    case 'call':
      main.tool(item.tool);
      get(item.from).call(1);
      put(item.into);
      return;
    case 'template':
      get(item.a).constant('+');
      get(item.b).emit('TEMPLATE', 3);
      put(item.into);
      return;
    case 'list':
    case 'add':
      get(item.a);
      get(item.b).emit(item.kind === 'list' ? 'LIST' : 'ADD', item.kind === 'list' ? 2 : 0);
      put(item.into);
      return;
    case 'index':
      get(item.of).constant(item.at).emit('INDEX');
      put(item.into);
      return;
    case 'change':
      get(item.of).constant(item.at);
      get(item.from).emit('SETINDEX');
      return;
    case 'emit':
      get(item.from).emit('EMIT', main.constantSlot('print'));
      return;
    case 'apply':
      main.emit('GLOBAL', program.global('pair'));
      get(item.a).call(1);
      put(item.into);
      return;
    case 'if': {
      const [otherwise, end] = [main.label(), main.label()];
      main.constant('7');
      get(item.on).emit('TEMPLATE', 1).emit('IN').jump('JF', otherwise);
      block(target, item.yes, nesting);
      main.jump('JMP', end).place(otherwise);
      block(target, item.no, nesting);
      main.place(end);
      return;
    }
    case 'for': {
      const [top, end] = [main.label(), main.label()];
      for (const name of item.over) get(name);
      main.emit('TUPLE', item.over.length).emit('ITER').place(top).jump('NEXT', end);
      put(item.into);
      block(target, item.body, nesting + 1);
      main.jump('JMP', top).place(end).emit('ENDITER');
      return;
    }
    case 'try': {
      const end = main.label();
      const start = main.address;
      main.tool(item.tool);
      get(item.from).call(1).emit('BARRIER');
      const stop = main.address;
      main.jump('JMP', end);
      main.handler({ start, end: stop, target: main.address, depth: nesting });
      main.emit('FIELD', main.constantSlot('message')).place(end);
      put(item.into);
      return;
    }
  }
}
