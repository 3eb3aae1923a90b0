/** docs/reference/instructions.md: the machine's instructions, from the table of opcodes. */
import { type Operand, opcodes } from '../../src/program/opcodes.ts';
import { code, generatedFrom, table } from './markdown.ts';
import { opcodeNotes } from './opcode-notes.ts';

const operandSentences: Readonly<Record<Operand, string>> = {
  none: '',
  constant: 'a slot of the chunk’s constants',
  name: 'the same, of a string',
  local: 'a slot of the frame’s local variables',
  cell: 'a slot of the frame’s local variables, one that is declared as a cell',
  captured: 'a slot of the closure’s captured variables',
  global: 'a slot of the program’s global variables',
  address: 'a position in the same chunk',
  count: 'a number of values, the *n* of the picture',
  below: 'how many places below what goes into it a container lies, at least 1',
  step: 'an index into the program’s steps',
  chunk: 'an index into the program’s chunks',
  arguments: 'how many arguments are positional (low 8 bits) and how many are named (above)',
};

export function instructionsPage(): string {
  const used = new Set(opcodes.map((row) => row.operand));
  const kinds = Object.entries(operandSentences).filter(
    ([kind, sentence]) => sentence !== '' && used.has(kind as Operand),
  );
  const groups = Map.groupBy(opcodes, (row) => row.group);
  return `# Instructions

${generatedFrom('src/program/opcodes.ts')}
An instruction is one integer: the opcode in the low byte, the operand above it. The picture shows
the operand stack before and after, its top on the right; \`-\` is nothing, and what follows \`|\` is
there when a jump is taken. *Lifts*: given a pending value, it makes a new pending value and goes on;
every other instruction that needs a value waits for it. Moving a value never waits.

${table(['operand', 'means'], kinds)}${[...groups].map(([group, rows]) => section(group, rows)).join('')}`;
}

function section(group: string, rows: readonly (typeof opcodes)[number][]): string {
  const cells = rows.map((row) => [
    String(row.code),
    row.name,
    row.operand === 'none' ? '' : row.operand,
    code(row.picture),
    opcodeNotes[row.name],
    row.lifts ? 'yes' : '',
  ]);
  return `
## ${group[0]?.toUpperCase()}${group.slice(1)}

${table(['code', 'name', 'operand', 'stack', 'what it does', 'lifts'], cells)}`;
}
