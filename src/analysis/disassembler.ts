/**
 * A program as text that people read: nothing of it is lost, and the same program always gives the
 * same text.
 */

import { encode } from '../program/json.ts';
import { type Opcode, opcodeAt, operandOf } from '../program/opcodes.ts';
import {
  type Capture,
  type Chunk,
  type Parameters,
  type Program,
  type Step,
  unpackPosition,
} from '../program/program.ts';
import { variablesText } from '../program/text-variables.ts';
import type { Value } from '../program/value.ts';
import { address } from './flow.ts';

/** The listing, with a line feed at its end. Throws nothing for a program that verifies. */
export function disassemble(program: Program): string {
  const lines = [`.dialect ${nameText(program.dialect)}`];
  if (program.open) lines.push('.open');
  const { variables } = program;
  if (variables) lines.push(`.variables ${JSON.stringify(variablesText(variables))}`);
  program.globals.forEach((name, slot) => {
    lines.push(commented(`.global ${nameText(name)}`, String(slot)));
  });
  program.steps.forEach((step, index) => {
    lines.push(commented(`.step ${stepText(step)}`, String(index)));
  });
  const makers = makersOf(program);
  for (const chunk of program.chunks) {
    for (const line of ['', ...chunkLines(program, chunk, makers.get(chunk))]) lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}

const commentColumn = 40;

const commented = (text: string, comment: string): string =>
  `${text.padEnd(commentColumn - 1)} ; ${comment}`;

function stepText(step: Step): string {
  const { label, kind, line, column, file, objective, reasoning, source } = step;
  const parts = [labelText(label), labelText(kind), `${line}:${column}`];
  if (objective !== undefined) parts.push(`objective ${JSON.stringify(objective)}`);
  if (reasoning !== undefined) parts.push(`reasoning ${JSON.stringify(reasoning)}`);
  if (source !== undefined) parts.push(`source ${JSON.stringify(source)}`);
  if (file !== undefined) parts.push(`file ${JSON.stringify(file)}`);
  return parts.join(' ');
}

function chunkLines(program: Program, chunk: Chunk, maker: Chunk | undefined): string[] {
  const keyword = { main: '.chunk', function: '.function', builtin: '.builtin' }[chunk.role];
  const labels = labelsOf(chunk);
  const declared = declaredConstants(chunk);
  const lines = [commented(`${keyword} ${nameText(chunk.name)}`, chunk.hash.slice(0, 12))];
  lines.push(...variableLines(chunk));
  for (const capture of chunk.captures) lines.push(captureLine(capture, maker));
  for (const slot of declared) {
    lines.push(`.constant ${slot} ${constantText(chunk.constants[slot] ?? null)}`);
  }
  for (const { start, end, target, depth } of chunk.handlers) {
    const places = [start, end, target].map((at) => labels.get(at) ?? at);
    lines.push(`.handler ${places.join(' ')} ${depth}`);
  }
  chunk.code.forEach((word, at) => {
    const label = labels.get(at);
    if (label !== undefined) lines.push(`${label}:`);
    lines.push(...instructionLines({ program, chunk, labels, declared }, word, at));
  });
  const end = labels.get(chunk.code.length);
  if (end !== undefined) lines.push(`${end}:`);
  return lines;
}

/** L1, L2, … for every place that a jump or a handler names, in the order of the code. */
function labelsOf(chunk: Chunk): ReadonlyMap<number, string> {
  const places = new Set<number>();
  for (const word of chunk.code) {
    if (opcodeAt(word)?.operand === 'address') places.add(operandOf(word));
  }
  for (const { start, end, target } of chunk.handlers) places.add(start).add(end).add(target);
  const sorted = [...places].filter((at) => at >= 0 && at <= chunk.code.length);
  return new Map(sorted.sort((a, b) => a - b).map((at, i) => [at, `L${i + 1}`]));
}

const inlineMax = 60;

const namesConstant = (row: Opcode | undefined): boolean =>
  row?.operand === 'constant' || row?.operand === 'name';

/**
 * The slots that need a `.constant`: long values, and those that the assembler would not number in
 * the same way from their uses alone.
 */
function declaredConstants({ code, constants }: Chunk): ReadonlySet<number> {
  const uses = code.filter((word) => namesConstant(opcodeAt(word))).map(operandOf);
  const used = new Set(uses);
  const seen = new Set<string>();
  const declared = new Set<number>();
  constants.forEach((value, slot) => {
    const text = encode(value);
    const inline = used.has(slot) && !seen.has(text) && constantText(value).length <= inlineMax;
    if (!inline) declared.add(slot);
    seen.add(text);
  });
  const inlineUses = [...used].filter((slot) => !declared.has(slot));
  const inOrder = inlineUses.every((slot, i) => i === 0 || slot > (inlineUses[i - 1] ?? 0));
  return inOrder ? declared : new Set(constants.keys());
}

function variableLines({ locals, parameters, cells }: Chunk): string[] {
  const { positional, named, defaults } = parameters;
  const lines = locals.map((name, slot) => {
    const keyword = directiveOf(parameters, slot);
    const given = slot < positional + named;
    const optional = given && slot >= positional + named - defaults;
    return commented(`.${keyword} ${nameText(name)}${optional ? ' default' : ''}`, String(slot));
  });
  return [...lines, ...cells.map((slot) => `.cell ${slot}${gloss(locals[slot])}`)];
}

function directiveOf({ positional, named, rest, keywords }: Parameters, slot: number): string {
  if (slot < positional) return 'param';
  if (slot < positional + named) return 'named';
  if (rest && slot === positional + named) return 'rest';
  if (keywords && slot === positional + named + (rest ? 1 : 0)) return 'keywords';
  return 'local';
}

/** The chunk in which each function is made, whose variables it captures. */
function makersOf({ chunks }: Program): ReadonlyMap<Chunk, Chunk> {
  const makers = new Map<Chunk, Chunk>();
  for (const chunk of chunks) {
    for (const word of chunk.code) {
      const made = opcodeAt(word)?.operand === 'chunk' ? chunks[operandOf(word)] : undefined;
      if (made && !makers.has(made)) makers.set(made, chunk);
    }
  }
  return makers;
}

function captureLine({ from, index }: Capture, maker: Chunk | undefined): string {
  return `.capture ${from} ${index}${gloss(from === 'local' ? maker?.locals[index] : undefined)}`;
}

interface Context {
  readonly program: Program;
  readonly chunk: Chunk;
  readonly labels: ReadonlyMap<number, string>;
  readonly declared: ReadonlySet<number>;
}

function instructionLines(context: Context, word: number, at: number): string[] {
  const { line, column } = unpackPosition(context.chunk.positions[at] ?? 0);
  const row = opcodeAt(word);
  const operand =
    row?.operand === 'none' && operandOf(word) === 0 ? '' : operandText(context, word);
  const text = `  ${address(at)}  ${row?.name ?? `?${word & 255}`}${operand && ' '}${operand}`;
  const step = row?.operand === 'step' ? context.program.steps[operandOf(word)] : undefined;
  const heading = step ? [`  ; ${stepHeading(step)}`] : [];
  return [...heading, commented(text, `${line}:${column}`)];
}

function stepHeading({ label, kind, objective, reasoning }: Step): string {
  const about = objective ?? reasoning;
  const words = about === undefined ? kind : `${kind}: ${about}`;
  return shortened(`step ${label}, ${words}`.replaceAll(/\s+/g, ' '), 90);
}

function operandText({ program, chunk, labels, declared }: Context, word: number): string {
  const operand = operandOf(word);
  switch (opcodeAt(word)?.operand) {
    case 'constant':
    case 'name': {
      const value = chunk.constants[operand];
      if (value === undefined || !declared.has(operand)) {
        return value === undefined ? `#${operand}` : constantText(value);
      }
      return `#${operand} (${glossOf(value)})`;
    }
    case 'local':
    case 'cell':
      return `${operand}${gloss(chunk.locals[operand])}`;
    case 'global':
      return `${operand}${gloss(program.globals[operand])}`;
    case 'address':
      return labels.get(operand) ?? String(operand);
    case 'step':
      return `${operand}${gloss(program.steps[operand]?.label)}`;
    case 'chunk':
      return `${operand}${gloss(program.chunks[operand]?.name)}`;
    case 'arguments': {
      const named = operand >> 8;
      return named === 0 ? String(operand & 255) : `${operand & 255} named ${named}`;
    }
    default:
      return String(operand);
  }
}

/** What a number stands for, in parentheses behind it. */
const gloss = (name: string | undefined): string =>
  name === undefined ? '' : ` (${labelText(shortened(name, 40))})`;

/** A long constant is told by its beginning; only a text can be cut and stay well-formed. */
function glossOf(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value, 40));
  const text = constantText(value);
  return text.length <= inlineMax ? text : 'long';
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

// Names and constants as they are written.

/** A name as it is where it is a plain word, else as a JSON string. */
const nameText = (name: string): string =>
  /^[A-Za-z_][\w.-]*$/.test(name) ? name : JSON.stringify(name);

/** A label of a step may also begin with a digit. */
const labelText = (label: string): string =>
  /^[\w.@-]+$/.test(label) ? label : JSON.stringify(label);

/** A constant on one line: `"text"`, `1`, `1.0`, `tool:search`, `builtin:len`, or tagged JSON. */
function constantText(value: Value): string {
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return encode(value);
  if (value.kind === 'tool' || value.kind === 'builtin') {
    return `${value.kind}:${nameText(value.name)}`;
  }
  if (value.kind === 'float' && Number.isFinite(value.value)) return floatText(value.value);
  return encode(value);
}

function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
