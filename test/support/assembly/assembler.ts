/**
 * Reads assembly: what the disassembler prints, and a form of the same that is friendly to write.
 *
 * ```
 * .function add            ; .chunk for a main chunk
 * .param a
 * .param b default
 *   LOCAL a                ; a name or a number; what stands in parentheses is for the reader
 *   LOCAL b
 *   ADD
 *   RETURN
 * ```
 *
 * Further: `.dialect NAME`, `.open`, `.global NAME`, `.step LABEL KIND LINE:COLUMN`, `.variables`
 * with their places as a text of JSON; in a chunk `.named NAME`, `.rest NAME`, `.keywords NAME`,
 * `.local NAME`, `.cell LOCAL`, `.capture NAME`, `.constant SLOT VALUE`, `.handler START END TARGET
 * DEPTH`, labels `NAME:`. Constants are as in assembly-text.ts. A comment `; 4:7` behind an
 * instruction is its place in the source; without one its place in the assembly is.
 */

import type { Diagnostic } from '../../../src/program/diagnostic.ts';
import { opcodeOf } from '../../../src/program/opcodes.ts';
import { type Program, packPosition, type Step } from '../../../src/program/program.ts';
import { readVariables } from '../../../src/program/text-variables.ts';
import {
  type ChunkDraft,
  type Draft,
  diagnosticsMax,
  report,
  reportUnknown,
} from './assembly-draft.ts';
import { chunkOf, numberIn, readConstant } from './assembly-operands.ts';
import { nameIn, type Token, tokens } from './assembly-text.ts';

export type Assembled =
  | { readonly program: Program; readonly diagnostics?: undefined }
  | { readonly program?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** The program that a text of assembly writes, or everything that is wrong with the text. */
export function assemble(text: string): Assembled {
  const draft: Draft = {
    diagnostics: [],
    dialect: 'assembly',
    open: false,
    globals: new Map(),
    steps: [],
    variables: undefined,
    chunks: [],
  };
  text.split('\n').forEach((line, i) => {
    if (draft.diagnostics.length < diagnosticsMax) readLine(draft, tokens(line, i + 1));
  });
  const chunks = draft.chunks.map((chunk) => chunkOf(draft, chunk));
  const { dialect, open, variables, globals, steps, diagnostics } = draft;
  if (diagnostics.length > 0) return { diagnostics };
  const declared = variables && { variables };
  return { program: { dialect, chunks, globals: [...globals.keys()], steps, ...declared, open } };
}

function readLine(draft: Draft, all: readonly Token[]): void {
  const comment = all.find((token) => token.kind === 'comment');
  let words = all.filter((token) => token.kind !== 'comment' && token.kind !== 'gloss');
  const label = words[0] && /^([A-Za-z_]\w*):$/.exec(words[0].text)?.[1];
  if (words[0] && label !== undefined) {
    placeLabel(draft, words[0], label);
    words = words.slice(1);
  }
  // The address in front of an instruction is for the reader; labels say where jumps go.
  if (words.length > 1 && /^\d+$/.test(words[0]?.text ?? '')) words = words.slice(1);
  const [first, ...operands] = words;
  if (!first) return;
  if (first.text.startsWith('.')) readDirective(draft, first, operands);
  else readInstruction(draft, first, operands, comment);
}

function placeLabel(draft: Draft, token: Token, label: string): void {
  const chunk = chunkHere(draft, token);
  if (chunk?.labels.has(label)) {
    report(draft, token, 'PV1905', `the label ${label} is already placed in ${chunk.name}`);
  } else chunk?.labels.set(label, chunk.lines.length);
}

function readInstruction(
  draft: Draft,
  token: Token,
  operands: readonly Token[],
  comment: Token | undefined,
): void {
  const row = opcodeOf.get(token.text);
  if (!row) {
    if (token.kind === 'word') {
      reportUnknown(draft, token, 'opcode', opcodeOf.keys(), 'PV1902');
    } else {
      report(draft, token, 'PV1901', `got ${token.text}, want a directive, a label or an opcode`);
    }
    return;
  }
  const place = placeIn(comment?.text.slice(1).trim()) ?? token;
  const position = packPosition(place.line, place.column);
  chunkHere(draft, token)?.lines.push({ row, token, operands, position });
}

/** The chunk whose lines are being read; reported where none has begun. */
function chunkHere(draft: Draft, token: Token): ChunkDraft | undefined {
  const chunk = draft.chunks.at(-1);
  if (!chunk) report(draft, token, 'PV1907', `got ${token.text} before any .chunk or .function`);
  return chunk;
}

function placeIn(text: string | undefined): { line: number; column: number } | undefined {
  const [, line, column] = /^(\d+):(\d+)$/.exec(text ?? '') ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

type Directive = (draft: Draft, token: Token, operands: readonly Token[]) => void;

const directives: ReadonlyMap<string, Directive> = new Map<string, Directive>([
  ['.dialect', readDialect],
  ['.open', readOpen],
  ['.variables', readPlaces],
  ['.global', readGlobal],
  ['.step', readStep],
  ['.chunk', beginChunk],
  ['.function', beginChunk],
  ['.builtin', beginChunk],
  ['.param', readParameter],
  ['.named', readParameter],
  ['.rest', readRemainder],
  ['.keywords', readRemainder],
  ['.local', readLocal],
  ['.cell', readCell],
  ['.capture', readCapture],
  ['.constant', readDeclaredConstant],
  ['.handler', readHandler],
]);

function readDirective(draft: Draft, token: Token, operands: readonly Token[]): void {
  const read = directives.get(token.text);
  if (read) read(draft, token, operands);
  else reportUnknown(draft, token, 'directive', directives.keys(), 'PV1902');
}

/** The name behind a directive; reported where there is none. */
function nameFor(draft: Draft, directive: Token, token: Token | undefined): string {
  const name = nameIn(token);
  if (name === undefined) {
    const got = token?.text ?? 'nothing';
    report(draft, token ?? directive, 'PV1903', `${directive.text}: got ${got}, want a name`);
  }
  return name ?? '';
}

function readDialect(draft: Draft, token: Token, [name]: readonly Token[]): void {
  draft.dialect = nameFor(draft, token, name);
}

function readOpen(draft: Draft): void {
  draft.open = true;
}

function readPlaces(draft: Draft, token: Token, [text]: readonly Token[]): void {
  draft.variables = readVariables(nameFor(draft, token, text));
  if (!draft.variables) report(draft, text ?? token, 'PV1903', 'want the places of variables');
}

function readGlobal(draft: Draft, token: Token, [operand]: readonly Token[]): void {
  const name = nameFor(draft, token, operand);
  if (draft.globals.has(name)) {
    report(draft, operand ?? token, 'PV1905', `the global ${name} is already declared`);
  }
  draft.globals.set(name, draft.globals.size);
}

/** What a step may say of itself. */
const stepTexts = ['objective', 'reasoning', 'source', 'file'] as const;

function readStep(draft: Draft, token: Token, operands: readonly Token[]): void {
  const [label, kind] = operands;
  const place = placeIn(operands[2]?.text);
  const at = place ?? token;
  const details = operands.slice(place ? 3 : 2);
  const step: { -readonly [key in keyof Step]: Step[key] } = {
    label: nameFor(draft, token, label),
    kind: kind ? nameFor(draft, token, kind) : 'step',
    line: at.line,
    column: at.column,
  };
  for (let i = 0; i < details.length; i += 2) {
    const [word, text] = [details[i], nameIn(details[i + 1])];
    const name = stepTexts.find((one) => one === word?.text);
    if (name !== undefined && text !== undefined) step[name] = text;
    else {
      const message = `got ${word?.text}, want one of ${stepTexts.join(', ')} and a text`;
      report(draft, word ?? token, 'PV1903', message);
    }
  }
  draft.steps.push(step);
}

function beginChunk(draft: Draft, token: Token, [name]: readonly Token[]): void {
  draft.chunks.push({
    token,
    name: nameFor(draft, token, name),
    role: token.text === '.chunk' ? 'main' : token.text === '.builtin' ? 'builtin' : 'function',
    parameters: { positional: 0, named: 0, defaults: 0 },
    locals: [],
    constants: new Map(),
    labels: new Map(),
    lines: [],
    cells: [],
    captures: [],
    handlers: [],
  });
}

function readParameter(draft: Draft, token: Token, [name, word]: readonly Token[]): void {
  const chunk = chunkHere(draft, token);
  if (!chunk) return;
  const { parameters, locals } = chunk;
  const kind = token.text === '.named' ? 'named' : 'positional';
  if (locals.length > parameters.positional + (kind === 'named' ? parameters.named : 0)) {
    report(draft, token, 'PV1907', 'parameters come first: .param, then .named, then .local');
  }
  if (word && word.text !== 'default') {
    report(draft, word, 'PV1903', `got ${word.text}, want default, or the line to end`);
  }
  if (!word && parameters.defaults > 0) {
    report(draft, token, 'PV1907', 'a parameter without default follows one that has one');
  }
  locals.push(nameFor(draft, token, name));
  parameters[kind]++;
  if (word) parameters.defaults++;
}

/** `.rest` and `.keywords`: the slots that take what is left of the arguments. */
function readRemainder(draft: Draft, token: Token, [name]: readonly Token[]): void {
  const chunk = chunkHere(draft, token);
  if (!chunk) return;
  const { parameters, locals } = chunk;
  const first = parameters.positional + parameters.named;
  const kind = token.text === '.rest' ? 'rest' : 'keywords';
  if (locals.length > first + (kind === 'keywords' && parameters.rest ? 1 : 0)) {
    report(draft, token, 'PV1907', 'the order is .param, .named, .rest, .keywords, .local');
  }
  locals.push(nameFor(draft, token, name));
  parameters[kind] = true;
}

function readLocal(draft: Draft, token: Token, [name]: readonly Token[]): void {
  chunkHere(draft, token)?.locals.push(nameFor(draft, token, name));
}

function readCell(draft: Draft, token: Token, [name]: readonly Token[]): void {
  nameFor(draft, token, name);
  if (name) chunkHere(draft, token)?.cells.push(name);
}

function readCapture(draft: Draft, token: Token, operands: readonly Token[]): void {
  nameFor(draft, token, operands[0]);
  chunkHere(draft, token)?.captures.push(operands);
}

function readHandler(draft: Draft, token: Token, operands: readonly Token[]): void {
  if (operands.length === 4) chunkHere(draft, token)?.handlers.push(operands);
  else report(draft, token, 'PV1903', 'want .handler START END TARGET DEPTH');
}

function readDeclaredConstant(draft: Draft, token: Token, operands: readonly Token[]): void {
  const [slot, value] = operands;
  if (!slot || !value) {
    report(draft, token, 'PV1903', 'want .constant SLOT VALUE');
    return;
  }
  const number = numberIn(draft, slot, 'a slot');
  const constant = readConstant(draft, value);
  const constants = chunkHere(draft, token)?.constants;
  if (number === undefined || constant === undefined || !constants) return;
  if (constants.has(number)) report(draft, slot, 'PV1905', `two constants have the slot ${number}`);
  constants.set(number, constant);
}
