/** Declarations of the file tools, apart from what performs them: `check` loads no more. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { arrayOf, closed, flag, integer, optional, record, text } from '../tool/fields.ts';

export interface FileLimits {
  /** Size of a file that is read, in bytes. */
  readonly fileBytes: number;
  /** Characters that one call returns. */
  readonly characters: number;
  /** Size of a text that is written, in bytes. */
  readonly writtenBytes: number;
  /** Files that one call lists. */
  readonly listed: number;
}

/** What the options of the set say of them where nobody says otherwise. */
export const fileLimits: FileLimits = {
  fileBytes: 67_108_864,
  characters: 4_000_000,
  writtenBytes: 16_777_216,
  listed: 1_000,
};

/** Names that are looked at for each file that may be listed. */
export const looksPerFile = 50;

const path: JsonSchema = text(
  'A path inside of the folders that are allowed, such as "data/sales.csv".',
  { minLength: 1, maxLength: 4096 },
);

export const encodingParameter: JsonSchema = text(
  'Such as "windows-1252". Default: by the byte order mark, else UTF-8.',
);

const line = (which: string): JsonSchema =>
  integer(`The ${which} line to return, from 1.`, { minimum: 1 });

export const readFileSpec: ToolSpec = toolSpec({
  name: 'read_file',
  description:
    'Reads a text file, or some of its lines. Returns { text, path, lines: { first, last, ' +
    'total }, encoding, modified }. PDF files are read by parse_pdf, tables by read_table.',
  effect: 'read',
  parameters: closed({
    path,
    first_line: optional(line('first')),
    last_line: optional(line('last')),
    encoding: optional(encodingParameter),
  }),
  returns: record({
    text: text(),
    path: text(),
    lines: record({ first: integer(), last: integer(), total: integer() }),
    encoding: text(),
    modified: text('ISO 8601, UTC.'),
  }),
  limits: { timeoutMs: 30_000, concurrency: 16 },
});

export const listFilesSpec: ToolSpec = toolSpec({
  name: 'list_files',
  description:
    'Lists files by a pattern of their paths. Returns [{ path, bytes, modified }], by path. ' +
    'Names that begin with a dot are left out.',
  effect: 'read',
  parameters: closed({
    pattern: optional(
      text('* and ? stand for parts of a name, ** for any folders: "**/*.csv".', {
        minLength: 1,
        maxLength: 1000,
        default: '**',
      }),
    ),
    folder: optional(
      text('Where to look. Default: every folder that may be read.', {
        minLength: 1,
        maxLength: 4096,
      }),
    ),
  }),
  returns: arrayOf(record({ path: text(), bytes: integer(), modified: text('ISO 8601, UTC.') })),
  limits: { timeoutMs: 30_000, concurrency: 4 },
});

const content = text('The whole content, written as UTF-8.');

const written: JsonSchema = record({
  path: text(),
  bytes: integer('Size of the file now.'),
  created: flag('Whether it was not there before.'),
});

function writing(name: string, description: string, more: Partial<ToolSpec>): ToolSpec {
  return toolSpec({
    name,
    description,
    effect: 'write',
    parameters: closed({ path, text: content }),
    returns: written,
    limits: { timeoutMs: 30_000 },
    ...more,
  });
}

export const writeFileSpec: ToolSpec = writing(
  'write_file',
  'Writes a new text file, with the folders around it. Fails where there is a file of another ' +
    'content: replace_file replaces it. Returns { path, bytes, created }.',
  { idempotent: true },
);

export const replaceFileSpec: ToolSpec = writing(
  'replace_file',
  'Writes a text file in place of the one that is there, if any, whole or not at all. Returns ' +
    '{ path, bytes, created }.',
  { idempotent: true, destructive: true },
);

export const appendFileSpec: ToolSpec = writing(
  'append_file',
  'Adds text at the end of a file, which is made where there is none. No line end is added. ' +
    'Returns { path, bytes, created }.',
  {},
);

export const fileSpecs: readonly ToolSpec[] = [
  readFileSpec,
  listFilesSpec,
  writeFileSpec,
  replaceFileSpec,
  appendFileSpec,
];
