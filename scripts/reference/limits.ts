/** docs/reference/limits.md: every limit, from the table of limits. */
import { type LimitRow, limitTable } from '../../src/program/limits.ts';
import { code, generatedFrom, plain, table } from './markdown.ts';

interface Kind {
  readonly effect: LimitRow['effect'];
  readonly title: string;
  readonly about: string;
}

const kinds: readonly Kind[] = [
  {
    effect: 'error',
    title: 'Limits of a program',
    about: 'Reaching one is an error of the program, with a place in its text.',
  },
  {
    effect: 'budget',
    title: 'Budgets of a run',
    about: `Where a run is suspended, what is being performed may still finish, and nothing new is
started; \`planvm\` then ends with exit code 5. \`planvm resume\` goes on with a larger budget.`,
  },
  {
    effect: 'bound',
    title: 'Bounds',
    about: 'They spread work over time and over attempts. None of them ends a run by itself.',
  },
];

export function limitsPage(): string {
  const rows = Object.entries(limitTable);
  const sections = kinds.map(({ effect, title, about }) => {
    const own = rows.filter(([, row]) => row.effect === effect);
    const cells = own.map(([name, row]) => [
      code(name),
      code(`--${row.flag}`),
      row.unit,
      row.default === Infinity ? 'none' : row.default.toLocaleString('en-US'),
      plain(row.about),
      plain(row.reached),
    ]);
    const head = ['name', 'flag', 'unit', 'default', 'of what', 'when it is reached'];
    return `\n## ${title}\n\n${about}\n\n${table(head, cells)}`;
  });
  return `# Limits

${generatedFrom('src/program/limits.ts')}
Everything has a limit, and each limit has a name, a unit, a default and a flag.
${sections.join('')}`;
}
