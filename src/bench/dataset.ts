/**
 * Questions with the answers that are expected, as benchmarks publish them: a JSON list, a JSON
 * object of lists or by id, NDJSON, or the table of puzzles of the game of 24. All come to the same
 * items here.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { AgentError, reasonOf } from '../agent/port/errors.ts';
import { shortPath } from '../agent/port/workspace.ts';

export interface Item {
  readonly id: string;
  readonly question: string;
  readonly label: Label;
}

/** What is expected: a text, which may be a number; or that the numbers make 24. */
export type Label =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'twenty-four'; readonly numbers: readonly number[] };

export interface Dataset {
  /** Without folder and extension. */
  readonly name: string;
  readonly file: string;
  /** Of the bytes of the file. */
  readonly sha256: string;
  readonly items: readonly Item[];
}

/** Throws `AgentError`: PV6006 for a file that cannot be read, PV6801 for what is not a dataset. */
export function readDataset(path: string): Dataset {
  const file = shortPath(path);
  const bytes = read(path, file);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const records = recordsIn(text, file);
  if (records.length === 0) throw wrong(file, 'it holds no questions');
  const items = records.map((record, index) => itemOf(record, index, file));
  refuseTwins(items, file);
  return {
    ...{ name: basename(path).replace(/\.[^.]*$/, ''), file, items },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

function read(path: string, file: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new AgentError('PV6006', `cannot read the dataset ${file}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

const wants =
  'want a list of { "id", "question", "answer" }, such a document a line, or a table of puzzles ' +
  'with the columns Rank and Puzzles';

const wrong = (file: string, problem: string): AgentError =>
  new AgentError('PV6801', `${file}: ${problem}`, { hint: wants });

type Fields = Readonly<Record<string, unknown>>;

function recordsIn(text: string, file: string): readonly Fields[] {
  if (text.trim() === '') throw wrong(file, 'it is empty');
  if (isPuzzles(text)) return puzzles(text);
  const data = jsonIn(text, file);
  const list = listIn(data);
  if (list === undefined) throw wrong(file, 'it is not a list of questions');
  return list.map((record, index) => {
    if (isObject(record)) return record;
    throw wrong(file, `question ${index + 1}: got ${JSON.stringify(record)}, want an object`);
  });
}

const isObject = (data: unknown): data is Fields =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

function jsonIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const lines = text.split('\n').map((line) => line.trim());
    const numbered = lines.flatMap((line, index) =>
      line === '' ? [] : [[line, index + 1] as const],
    );
    if (numbered.length < 2) throw wrong(file, `it is not JSON: ${reasonOf(cause)}`);
    return numbered.map(([line, number]) => {
      try {
        return JSON.parse(line);
      } catch (error) {
        throw wrong(file, `line ${number} is not JSON: ${reasonOf(error)}`);
      }
    });
  }
}

/** The questions themselves, or those of the one list in a document, or by their ids. */
function listIn(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data;
  if (!isObject(data)) return undefined;
  if ('question' in data) return [data];
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  if (lists.length === 1) return lists[0];
  const entries = Object.entries(data);
  if (!entries.every(([, value]) => isObject(value))) return undefined;
  return entries.map(([id, value]) => ({ id, ...Object(value) }));
}

const isPuzzles = (text: string): boolean => /^"?Rank"?,"?Puzzles"?(,|\s*$)/im.test(head(text));

const head = (text: string): string => text.slice(0, text.indexOf('\n') + 1);

/** `1,1 1 4 6,4.4,…`: further columns say how people fared. */
function puzzles(text: string): Fields[] {
  const rows = text.split('\n').slice(1);
  return rows.flatMap((row) => {
    const [rank = '', puzzle = ''] = row.split(',').map((cell) => cell.trim().replaceAll('"', ''));
    return rank === '' && puzzle === '' ? [] : [{ id: rank, puzzle }];
  });
}

function itemOf(record: Fields, index: number, file: string): Item {
  const { id = record._id ?? index + 1, question, answer } = record;
  const where = `question ${index + 1}`;
  if (!isName(id)) throw wrong(file, `${where}: got the id ${JSON.stringify(id)}, want a text`);
  const puzzle = record.puzzle ?? record.numbers ?? (answer === undefined ? question : undefined);
  const numbers = numbersOf(puzzle);
  if (numbers) {
    const label: Label = { kind: 'twenty-four', numbers };
    return { id: String(id), question: puzzleText(numbers), label };
  }
  if (record.puzzle !== undefined) {
    const got = JSON.stringify(record.puzzle);
    throw wrong(file, `${where} (${id}): got the puzzle ${got}, want four whole numbers`);
  }
  if (typeof question !== 'string' || question.trim() === '') {
    const has = Object.keys(record).join(', ') || 'nothing';
    const got = `: got ${JSON.stringify(question)}, want a text as "question"`;
    throw wrong(file, where + (question === undefined ? ` has no "question", only ${has}` : got));
  }
  if (!isName(answer)) {
    const got = answer === undefined ? 'no answer' : JSON.stringify(answer);
    throw wrong(file, `${where} (${id}): got ${got}, want a text or a number as "answer"`);
  }
  const label: Label = { kind: 'text', text: String(answer) };
  return { id: String(id), question: question.trim(), label };
}

const puzzleText = (numbers: readonly number[]): string =>
  `Make 24 of the numbers ${numbers.join(', ')}: ` +
  'use each exactly once, with +, -, *, / and parentheses.';

const isName = (data: unknown): data is string | number =>
  typeof data === 'number' || (typeof data === 'string' && data.trim() !== '');

/** The four numbers of a puzzle: `4 9 10 13`, or a list; undefined for anything else. */
function numbersOf(puzzle: unknown): readonly number[] | undefined {
  const parts = Array.isArray(puzzle) ? puzzle : String(puzzle ?? '').match(/^\d+([ ,]+\d+){3}$/);
  if (parts === null) return undefined;
  const numbers = Array.isArray(puzzle) ? puzzle : String(puzzle).split(/[ ,]+/).map(Number);
  return numbers.length === 4 && numbers.every(Number.isSafeInteger) ? numbers : undefined;
}

function refuseTwins(items: readonly Item[], file: string): void {
  const seen = new Map<string, number>();
  for (const [index, { id }] of items.entries()) {
    const first = seen.get(id);
    if (first !== undefined) {
      throw wrong(file, `question ${index + 1} has the id ${id}, as question ${first + 1} has`);
    }
    seen.set(id, index);
  }
}
