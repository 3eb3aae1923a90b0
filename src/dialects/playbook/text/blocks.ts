/**
 * The block of a line of steps: Markdown from the first fence under it on, less its indent. What
 * stands in it is for whoever does the line to read, and is never read as a statement.
 */
import { type Assignment, assignmentIn, stateNames, unique } from './variables.ts';

export interface Blocked {
  readonly text: string;
  readonly block?: string | undefined;
}

export const fenced = (marks: string, word: string, text: string): string =>
  [`${marks}${word}`, ...(text === '' ? [] : [text]), marks].join('\n');

/** With a block under it, each line of that further in than the line itself. */
export const withBlock = (line: string, block: string | undefined, indent = ''): string =>
  block === undefined
    ? line
    : [line, ...block.split('\n').map((one) => (one === '' ? '' : `${indent}  ${one}`))].join('\n');

/** What is set where the value stands in the block: `$mail =`, `Set $mail to`. */
export function assignmentOf({ text, block }: Blocked): Assignment | undefined {
  const value = assignmentIn(text) ? undefined : blockValue(block);
  if (value === undefined) return assignmentIn(text);
  const open = assignmentIn(`${text.replace(/(?<![:\s])\s*:$/, '')} x`);
  return open?.value === 'x' ? { ...open, value } : undefined;
}

/**
 * The value of a block that is one fence: data of JSON, else a text as it stands. Where there are
 * braces, who sets it says what of them is to be filled in.
 */
export function blockValue(block: string | undefined): string | undefined {
  const [first = '', ...rest] = block?.split('\n') ?? [];
  const [, marks = '', word = ''] = /^(`{3,}|~{3,})(.*)$/.exec(first) ?? [];
  if (marks === '' || rest.findIndex((line) => isClosing(line, marks)) !== rest.length - 1) {
    return undefined;
  }
  const text = rest.slice(0, -1).join('\n');
  if (/^(?:|json\d?c?)$/.test(word) && isJson(text)) return text.trim();
  return /[{}$]/.test(text) ? text : JSON.stringify(text);
}

/** Whether a line ends a fence that begins with these marks. */
export function isClosing(line: string, marks: string): boolean {
  const bare = line.trim();
  return bare.startsWith(marks) && bare === bare.charAt(0).repeat(bare.length);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Variables that a block may be about: `$x`, which may be one of a shell, and `{x}` of a call. */
export const namesInBlock = (block: string | undefined, locals: ReadonlySet<string>): string[] =>
  block === undefined ? [] : unique([...stateNames(block), ...localsInBlock(block, locals)]);

export const localsInBlock = (block: string, locals: ReadonlySet<string>): string[] =>
  unique((block.match(filled) ?? []).flatMap((one) => one.match(word) ?? [])).filter((name) =>
    locals.has(name),
  );

/** With other names for variables of a call, where they are filled in. */
export const renamedBlock = (block: string, rename: ReadonlyMap<string, string>): string =>
  block.replace(filled, (one) => one.replace(word, (name) => rename.get(name) ?? name));

/** `{x}`, `{x.name}`, `{x * 2}`; braces of data and of code have quotes, colons, line breaks. */
const filled = /(?<!\$)\{[^{}"':;\n]*\}/g;
const word = /(?<![\p{XIDC}$.])\p{XIDS}\p{XIDC}*/gu;
