/** docs/reference/diagnostics.md: every code and its meaning, from the tables of all layers. */
import { dirname } from 'node:path/posix';
import { codeTables } from './codes.ts';
import { code, plain, table } from './markdown.ts';

interface Area {
  readonly area: string;
  readonly title: string;
  readonly about?: string;
}

/** The areas of the numbers, a hundred each. A new one needs a title here. */
const areas: readonly Area[] = [
  {
    area: 'PV10',
    title: 'Reading JSON that models write',
    about: `PV1001 to PV1009 mean that there is no value. The others are repairs, each a warning; but a
program that was cut short (PV1010) is never run.`,
  },
  { area: 'PV12', title: 'Reading lists of actions' },
  { area: 'PV13', title: 'Reading programs on a stack' },
  { area: 'PV14', title: 'Reading playbooks' },
  { area: 'PV20', title: 'Recognising a program' },
  { area: 'PV21', title: 'Checking a plan' },
  { area: 'PV23', title: 'Reading Starlark' },
  { area: 'PV24', title: 'Checking playbooks' },
  { area: 'PV26', title: 'Checking lists of actions' },
  { area: 'PV27', title: 'Checking programs on a stack' },
  {
    area: 'PV29',
    title: 'Verifying code',
    about:
      'No dialect makes such code: these are for programs that something else has put together.',
  },
  { area: 'PV30', title: 'Running a program' },
  { area: 'PV31', title: 'Built-in functions' },
  { area: 'PV32', title: 'Starlark modules of a host' },
  { area: 'PV37', title: 'Tasks of plans' },
  { area: 'PV38', title: 'Programs on a stack' },
  { area: 'PV40', title: 'Performing effects' },
  { area: 'PV41', title: 'Models' },
  { area: 'PV42', title: 'Tools' },
  { area: 'PV43', title: 'Knowledge base' },
  { area: 'PV44', title: 'Transcripts' },
  { area: 'PV45', title: 'Questions to people' },
  { area: 'PV46', title: 'Time and chance' },
  { area: 'PV47', title: 'Tools that come along' },
  { area: 'PV48', title: 'MCP servers' },
  { area: 'PV49', title: 'Documents, data and files' },
  { area: 'PV50', title: 'Journal' },
  { area: 'PV51', title: 'Runs' },
  { area: 'PV60', title: 'Command line and configuration' },
  { area: 'PV65', title: 'Which tools there are, and which a run may call' },
  { area: 'PV67', title: 'Conversations' },
  { area: 'PV68', title: 'Benchmarks' },
  { area: 'PV69', title: 'Command line: MCP' },
  { area: 'PV70', title: 'Planning' },
  { area: 'PV72', title: 'Loops over tasks' },
  { area: 'PV73', title: 'Following playbooks' },
  { area: 'PV75', title: 'Asking for something' },
];

interface Row {
  readonly code: string;
  readonly meaning: string;
  readonly folder: string;
}

export function diagnosticsPage(): string {
  const rows: Row[] = [...codeTables].flatMap(([file, codes]) =>
    Object.entries(codes).map(([code, meaning]) => ({ code, meaning, folder: dirname(file) })),
  );
  rows.sort((a, b) => (a.code < b.code ? -1 : 1));
  const sections = areas.map(({ area, title, about }) => {
    const own = rows.filter((row) => row.code.startsWith(area));
    const cells = own.map((row) => [row.code, plain(row.meaning), code(row.folder)]);
    const words = about === undefined ? '' : `${about}\n\n`;
    return own.length === 0
      ? ''
      : `\n## ${title}\n\n${words}${table(['code', 'meaning', 'from'], cells)}`;
  });
  return `# Diagnostics

Generated from the tables of codes in \`src/\` by \`npm run reference\`.

Every error and every warning carries a code. The message says what was got and what is wanted, a
hint says what to write instead. A code never changes its meaning.
${sections.join('')}`;
}
