/** docs/reference/limits.md: every limit, from the table of limits. */

import { variableOf } from '../../src/cli/settings/settings.ts';
import { mannerDefaults } from '../../src/dialects/playbook/manner.ts';
import { toolSets } from '../../src/effects/tool-sets.ts';
import { type LimitRow, limitTable, toolLimitTable } from '../../src/program/limits.ts';
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

const playbookRows: readonly (readonly [
  'turns' | 'depth' | 'slips' | 'sessionTokens' | 'inline',
  string,
  string,
  string,
])[] = [
  [
    'turns',
    'replies',
    'Replies that one playbook may take, and messages that two agents may exchange.',
    'The run fails (PV7321, PV7324); it goes on with a larger one.',
  ],
  [
    'depth',
    'playbooks',
    'How deep playbooks may call each other.',
    'The run fails (PV7323); it goes on with a larger one.',
  ],
  [
    'slips',
    'replies',
    'Replies of one playbook that cannot stand, each of which the model is told of.',
    'The run fails (PV7328); it goes on with a larger one.',
  ],
  [
    'sessionTokens',
    'tokens',
    'Tokens of one conversation.',
    'It is told in short, and kept at length in a variable.',
  ],
  [
    'inline',
    'steps',
    'Steps of a playbook that stands in the places of its calls.',
    'It is played by itself.',
  ],
];

export function limitsPage(): string {
  const rows = Object.entries(limitTable);
  const sections = kinds.map(({ effect, title, about }) => {
    const own = rows.filter(([, row]) => row.effect === effect);
    const cells = own.map(([name, row]) => [
      code(name),
      code(`--${row.flag}`),
      code(variableOf(name)),
      row.unit,
      row.default === Infinity ? 'none' : row.default.toLocaleString('en-US'),
      plain(row.about),
      plain(row.reached),
    ]);
    const head = ['name', 'flag', 'variable', 'unit', 'default', 'of what', 'when it is reached'];
    return `\n## ${title}\n\n${about}\n\n${table(head, cells)}`;
  });
  return `# Limits

${generatedFrom('src/program/limits.ts')}
Everything has a limit. An option sets it for one command, a variable for many, a configuration file
by its name: \`"limits": { "tokens": 200000, "wallMs": "5m" }\`. Sizes and times may be written with units,
as in \`4MiB\`, \`30s\` and \`2h\`; \`none\` takes a budget away.
${sections.join('')}
## Limits of a tool

\`--tool-limit search.timeoutMs=5s\`, \`PLANVM_TOOL_LIMITS="search.timeoutMs=5s,search.callsPerRun=100"\`, or in a
configuration file \`"toolLimits": { "search": { "timeoutMs": "5s", "callsPerRun": 100 } }\`. They come before what
the tool itself declares and before the limits of the run.

${table(
  ['name', 'unit', 'of what', 'when it is reached'],
  Object.entries(toolLimitTable).map(([name, row]) => [
    code(name),
    limitTable[row.as].unit,
    plain(row.about),
    plain(row.reached),
  ]),
)}
## Limits of playbooks

An option of \`planvm run\`, and of \`resume\`, \`answer\` and \`fork\`, where the run ended at one; a name in
\`PLANVM_PLAYBOOKS="turns=200"\`, and in \`"playbooks": { "turns": 200 }\` of a configuration file.

${table(
  ['name', 'flag', 'unit', 'default', 'of what', 'when it is reached'],
  playbookRows.map(([name, unit, about, reached]) => [
    code(name),
    code(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
    unit,
    mannerDefaults[name].toLocaleString('en-US'),
    about,
    reached,
  ]),
)}
## Limits of tool sets

What one call of a set's tools reads and returns, by options behind its name:
\`--tools 'planvm:data?rows=100000'\`. A result is bounded by \`valueBytes\`, too.

${table(
  ['option', 'unit', 'default', 'at most', 'of what'],
  [...toolSets.values()].flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { limit, default: usual = '', about }]) =>
      limit
        ? [
            [
              code(`planvm:${name}?${option}=`),
              limit.unit,
              Number(usual).toLocaleString('en-US'),
              limit.most.toLocaleString('en-US'),
              plain(about),
            ],
          ]
        : [],
    ),
  ),
)}`;
}
