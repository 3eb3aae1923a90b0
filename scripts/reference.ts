/**
 * Writes docs/reference/ from the tables of the program, so that the documents cannot say anything
 * else than the code: `npm run reference`. A test fails where a page is not fresh.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Operand, opcodes } from '../src/program/opcodes.ts';

/** The generated pages: path from the root of the repository, and text. */
export function pages(): ReadonlyMap<string, string> {
  return new Map([['docs/reference/instructions.md', instructionsPage()]]);
}

const operandSentences: Readonly<Record<Operand, string>> = {
  none: '',
  constant: 'a slot of the chunk’s constants',
  local: 'a slot of the frame’s local variables',
  cell: 'a slot of the frame’s local variables, one that is declared as a cell',
  captured: 'a slot of the closure’s captured variables',
  global: 'a slot of the program’s global variables',
  address: 'a position in the same chunk',
  count: 'a number of values, the *n* of the picture',
  step: 'an index into the program’s steps',
  chunk: 'an index into the program’s chunks',
  arguments: 'how many arguments are positional (low 8 bits) and how many are named (above)',
};

function instructionsPage(): string {
  const used = new Set(opcodes.map((row) => row.operand));
  const kinds = Object.entries(operandSentences).filter(
    ([kind, sentence]) => sentence !== '' && used.has(kind as Operand),
  );
  const groups = Map.groupBy(opcodes, (row) => row.group);
  return `# Instructions

Generated from \`src/program/opcodes.ts\` by \`npm run reference\`.

An instruction is one integer: the opcode in the low byte, the operand above it. The picture shows
the operand stack before and after, its top on the right; \`-\` is nothing, and what follows \`|\` is
there when a jump is taken. *Lifts*: given a pending value, it makes a new pending value and goes on;
every other instruction that needs a value waits for it. Moving a value never waits.

| operand | means |
| --- | --- |
${kinds.map(([kind, sentence]) => `| ${kind} | ${sentence} |`).join('\n')}
${[...groups].map(([group, rows]) => groupSection(group, rows)).join('')}`;
}

function groupSection(group: string, rows: readonly (typeof opcodes)[number][]): string {
  const lines = rows.map((row) => {
    const operand = row.operand === 'none' ? '' : row.operand;
    const cells = [row.code, row.name, operand, code(row.picture), row.about, row.lifts && 'yes'];
    return `| ${cells.map((cell) => cell || (cell === 0 ? '0' : '')).join(' | ')} |\n`;
  });
  return `
## ${group[0]?.toUpperCase()}${group.slice(1)}

| code | name | operand | stack | what it does | lifts |
| --- | --- | --- | --- | --- | --- |
${lines.join('')}`;
}

/** A table cell in code type; a bar inside it would end the cell. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

if (import.meta.main) {
  for (const [path, text] of pages()) {
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
    mkdirSync(new URL('.', `file://${file}`), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${path}\n`);
  }
}
