/** Help in windows of any width: nothing is lost, and no line is longer than the window. */
import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { helpIn } from '../../src/cli/help.ts';

const about =
  'Input variable, as JSON or as a text. May be repeated: of two values of one name the last counts.';

const helpOf = (width: number): string[] =>
  new Command('run')
    .description('Run a program. Its answer goes to stdout, everything else to stderr.')
    .argument('<file>')
    .option('--input <name=value>', about)
    .configureHelp(helpIn(width))
    .helpInformation()
    .split('\n');

test.each([40, 60, 70, 100])('in %d columns', (width) => {
  const lines = helpOf(width);
  expect(lines.filter((line) => line.length > width)).toEqual([]);
  expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(about);
});

test('what explains an option stands below it where there is no room beside it', () => {
  expect(helpOf(40)).toContain('  --input <name=value>');
  expect(helpOf(100)).toContainEqual(expect.stringMatching(/^ {2}--input <name=value> {2}Input/));
});
