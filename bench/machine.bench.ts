/**
 * The dispatch loop beside the same loop in the host's own language, and what one effect costs the
 * machine alone. Programs in Starlark have `starlark.bench.ts`.
 */
import { createMachine } from '../src/machine/create.ts';
import { ChunkBuilder, ProgramBuilder } from '../src/program/builder.ts';
import { toolSpec } from '../src/program/effect.ts';
import { report } from './report.ts';

/** Counts to `limit` in a local variable: nine instructions a turn. */
function counting(limit: number): { ms: number; instructions: number } {
  const program = new ProgramBuilder('assembly');
  const main = new ChunkBuilder('main');
  const [top, end] = [main.label(), main.label()];
  main.constant(0).emit('SETLOCAL', 0).place(top);
  main.emit('LOCAL', 0).constant(limit).emit('LT').jump('JF', end);
  main.emit('LOCAL', 0).constant(1).emit('ADD').emit('SETLOCAL', 0).jump('JMP', top);
  program.add(
    main
      .place(end)
      .constant(null)
      .emit('RETURN')
      .seal({ locals: ['i'] }),
  );
  const machine = createMachine(program.build(), { tools: new Map() });
  const start = performance.now();
  while (machine.run(1e6).status === 'ready');
  return { ms: performance.now() - start, instructions: machine.view().instructions };
}

/** The same loop, written so that the host's compiler cannot fold it away. */
function byHand(limit: number): number {
  const cells = [0];
  const start = performance.now();
  while ((cells[0] ?? 0) < limit) cells[0] = (cells[0] ?? 0) + 1;
  return performance.now() - start;
}

/** Microseconds per effect of a fan-out, without an engine. */
function effects(count: number): number {
  const spec = toolSpec({ name: 'read', description: 'Reads.', effect: 'read' });
  const program = new ProgramBuilder('assembly');
  const main = new ChunkBuilder('main');
  for (let i = 0; i < count; i++) {
    main.tool('read').constant('n').constant(i).call(0, 1);
    main.emit('SETGLOBAL', program.global(`v${i}`));
  }
  program.add(main.constant(null).emit('RETURN').seal());
  const machine = createMachine(program.build(), { tools: new Map([['read', spec]]) });
  const start = performance.now();
  for (let turn = machine.run(1e6); turn.status !== 'done'; turn = machine.run(1e6)) {
    for (const { id } of turn.requests) machine.settle(id, { ok: true, value: '"done"' });
  }
  return ((performance.now() - start) * 1000) / count;
}

counting(1e5);
byHand(1e5);
effects(1000);
const { ms, instructions } = counting(1e7);
report([
  { name: 'loop of 10 M turns', value: ms, unit: 'ms', bar: 400 },
  { name: 'the same / in the host language', value: ms / byHand(1e7), unit: '×' },
  { name: 'instructions a second', value: instructions / ms / 1000, unit: 'M/s' },
  { name: 'one effect, machine alone', value: effects(10_000), unit: 'µs' },
]);
