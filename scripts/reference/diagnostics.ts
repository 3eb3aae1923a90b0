/** docs/reference/diagnostics.md: every code and its meaning, from the tables of all layers. */
import { dirname } from 'node:path/posix';
import { codeTables } from './codes.ts';
import { code, plain, table } from './markdown.ts';

/** The areas of the numbers, each up to the next. */
const areas: readonly { readonly from: string; readonly title: string; readonly about: string }[] =
  [
    {
      from: 'PV1000',
      title: 'Reading JSON that models write',
      about:
        'PV1001 to PV1009 mean that there is no value; the others are repairs, each a warning.',
    },
    { from: 'PV1900', title: 'Reading assembly', about: '' },
    { from: 'PV2000', title: 'Recognising a program', about: '' },
    { from: 'PV2100', title: 'Checking a plan', about: '' },
    {
      from: 'PV2900',
      title: 'Verifying code',
      about: 'A dialect makes no such code; these are for programs that come as assembly.',
    },
    { from: 'PV3000', title: 'Running a program', about: '' },
    { from: 'PV3100', title: 'Built-in functions', about: '' },
    { from: 'PV4000', title: 'Performing effects', about: '' },
    { from: 'PV4100', title: 'Models', about: '' },
    { from: 'PV4200', title: 'Tools', about: '' },
    { from: 'PV4300', title: 'Knowledge base', about: '' },
    { from: 'PV4400', title: 'Transcripts', about: '' },
    { from: 'PV5000', title: 'Journal', about: '' },
    { from: 'PV5100', title: 'Runs', about: '' },
    { from: 'PV6000', title: 'Command line and configuration', about: '' },
    { from: 'PV7000', title: 'Planning', about: '' },
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
  const sections = areas.map(({ title, about, from }, i) => {
    const to = areas[i + 1]?.from ?? 'PV9999';
    const own = rows.filter((row) => row.code >= from && row.code < to);
    const cells = own.map((row) => [row.code, plain(row.meaning), code(row.folder)]);
    const words = about === '' ? '' : `${about}\n\n`;
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
