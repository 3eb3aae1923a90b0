import { expect, it } from 'vitest';
import type { Line } from '../../../../src/dialects/playbook/compiled.ts';
import {
  graphOf,
  sourcesIn,
  targetsIn,
  walk,
} from '../../../../src/dialects/playbook/link/graph.ts';
import { expression, line, open, set, state, test } from './lines.ts';

const end = (number: string): Line => line(number, { is: 'end' });
const go = (number: string, to: string): Line => line(number, { is: 'go', to });

/** `01 true→01.01 false→02`. */
const shown = (lines: readonly Line[]): string[] =>
  [...graphOf(lines).edges].map(([number, edges]) =>
    [number, ...edges.map(({ to, kind }) => `${kind}→${to}`)].join(' '),
  );

const cases: Readonly<Record<string, [readonly Line[], readonly string[]]>> = {
  'lines one after the other': [
    [open('01'), set('02', 'x', '1')],
    ['01 next→02', '02 end→'],
  ],
  'a chain of conditions': [
    [
      test('01', 'if', [open('01.01')], 'x_'),
      test('02', 'elif', [open('02.01'), set('02.02', 'x', '1')]),
      test('03', 'else', [open('03.01')]),
      open('04'),
    ],
    [
      '01 true→01.01 false→02',
      '01.01 next→04',
      '02 true→02.01 false→03',
      '02.01 next→02.02',
      '02.02 next→04',
      '03 next→03.01',
      '03.01 next→04',
      '04 end→',
    ],
  ],
  'a condition without a block, as the last line': [
    [test('01', 'if', [], 'x_')],
    ['01 true→ false→'],
  ],
  'loops, with break and continue in a condition': [
    [
      test('01', 'while', [
        test('01.01', 'if', [go('01.01.01', 'break')], 'x_'),
        test('01.02', 'else', [go('01.02.01', 'continue')]),
      ]),
      line('02', { is: 'each', item: state('x'), of: expression('y_') }),
    ],
    [
      '01 loop→01.01 exit→02',
      '01.01 true→01.01.01 false→01.02',
      '01.01.01 exit→02',
      '01.02 next→01.02.01',
      '01.02.01 loop→01',
      '02 loop→02 exit→',
    ],
  ],
  'an open head: its block once, not at all, or again': [
    [open('01', [set('01.01', 'x', '1')]), end('02')],
    ['01 true→01.01 false→02', '01.01 loop→01', '02 end→'],
  ],
  'a break below an open head leaves the loop around': [
    [test('01', 'until', [open('01.01', [go('01.01.01', 'break')])], 'x_')],
    ['01 loop→01.01 exit→', '01.01 true→01.01.01 false→01', '01.01.01 exit→'],
  ],
  'jumps back, on, and nowhere': [
    [
      go('01', '03'),
      test('02', 'while', [go('02.01', '02')], 'x_'),
      go('03', '09'),
      line('04', { is: 'return' }),
    ],
    ['01 jump→03', '02 loop→02.01 exit→03', '02.01 loop→02', '03 next→04', '04 return→'],
  ],
  'a block under a line that the machine does': [
    [line('01', { is: 'note' }, { children: [open('01.01')] }), open('02')],
    ['01 next→01.01', '01.01 next→02', '02 end→'],
  ],
};

it.each(Object.entries(cases))('%s', (_, [lines, edges]) => {
  expect(shown(lines)).toEqual(edges);
});

it('walks from lines to those that come after them, and before them', () => {
  const graph = graphOf([test('01', 'if', [go('01.01', '01')], 'x_'), go('02', '01'), open('03')]);
  expect(walk([graph.first], targetsIn(graph))).toEqual(new Set(['01', '01.01', '02']));
  expect(walk(['01.01'], sourcesIn(graph))).toEqual(new Set(['01.01', '01', '02']));
  expect(walk([''], targetsIn(graphOf([])))).toEqual(new Set(['']));
});
