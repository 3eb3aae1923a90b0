/** The command line as a whole: what a person who types `planvm` meets first. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { rootCommand } from '../../src/cli/main.ts';
import { Folder, planvm } from '../support/cli.ts';
import { textOf } from '../support/repo.ts';

const manifest: { version: string } = JSON.parse(textOf('package.json'));

test('--version prints the version of the package and nothing else', async () => {
  expect(await planvm(['--version'])).toMatchObject({
    code: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  });
});

test('without arguments it lists the commands and is a usage error', async () => {
  const { code, stdout, stderr } = await planvm([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const { name, about, hidden } of commands) {
    if (!hidden) expect(stderr).toMatch(new RegExp(`^ +${name} +${about.slice(0, 20)}`, 'm'));
  }
  expect(stderr).not.toMatch(/^ +complete /m);
});

test.each([
  ['an option', ['--versoin'], '--version'],
  ['an option of a command', ['run', 'x.json', '--tokns', '3'], '--tokens'],
  ['a command', ['resmue', 'last'], 'resume'],
  ['a command that help is asked for', ['help', 'resmue'], 'resume'],
  ['a command of a command', ['tools', 'shwo'], ''],
])('a misspelt %s exits 2 and says what was meant', async (_what, args, meant) => {
  const { code, stdout, stderr } = await planvm(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error PV6001: .*\n {2}hint: /);
  if (meant !== '') expect(stderr).toContain(`did you mean ${meant}?`);
});

test('a missing argument exits 2 and names it', async () => {
  const { code, stderr } = await planvm(['run']);
  expect(code).toBe(2);
  expect(stderr).toContain("missing required argument 'file'\n  hint: see planvm run --help");
});

test('an option with a value of the wrong form exits 2 and says which form it wants', async () => {
  const { code, stderr } = await planvm(['run', 'x.json', '--wall', 'soon']);
  expect(code).toBe(2);
  expect(stderr).toContain('PV6002');
  expect(stderr).toContain('got soon, want milliseconds, or 30s, 5m, 2h, or none');
});

describe('help', () => {
  const names = commands.filter(({ hidden }) => !hidden).map(({ name }) => name);

  test.each(names)('%s describes itself and shows at least two examples', async (name) => {
    const text = helpOf(await commandNamed(name));
    expect(examplesIn(text).length).toBeGreaterThanOrEqual(2);
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test.each(names)('the examples of %s are command lines that parse', async (name) => {
    for (const line of examplesIn(helpOf(await commandNamed(name)))) {
      for (const [, called = '', rest = ''] of line.matchAll(/planvm ([a-z]+) ?([^|&>]*)/g)) {
        const words = [...rest.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
          ([, single, double, bare]) => single ?? double ?? bare ?? '',
        );
        const command = await commandNamed(called);
        const part = command.commands.find((candidate) => candidate.name() === words[0]);
        const { unknown } = (part ?? command).parseOptions(words.slice(part ? 1 : 0));
        expect({ line, unknown }).toEqual({ line, unknown: [] });
      }
    }
  });

  test('goes to stdout, with `help` and with --help alike', async () => {
    const [word, option] = await Promise.all([
      planvm(['help', 'check']),
      planvm(['check', '--help']),
    ]);
    expect(word).toEqual(option);
    expect(option).toMatchObject({ code: 0, stderr: '' });
    expect(option.stdout).toContain('Usage: planvm check [options] <file>');
  });
});

async function commandNamed(name: string): Promise<CommandUnknownOpts> {
  const root = await rootCommand(
    (entry) => entry.name === name,
    () => {},
  );
  const command = root.commands.find((candidate) => candidate.name() === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return command;
}

function helpOf(command: CommandUnknownOpts): string {
  let text = '';
  const writeOut = (part: string): void => {
    text += part;
  };
  command.configureOutput({ writeOut });
  command.outputHelp();
  return text;
}

const examplesIn = (help: string): string[] =>
  (help.split('Examples:\n')[1] ?? '').split('\n').filter((line) => /^ {2}\S/.test(line));

describe('colour', () => {
  const start = '\u001b[';

  test('is absent where no terminal reads', async () => {
    const { stderr } = await planvm(['runn']);
    expect(stderr).not.toContain(start);
  });

  test.each([
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, [], true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, [], false],
    ['NO_COLOR beside FORCE_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, [], false],
    ['an empty NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '' }, [], true],
    ['--no-color', { FORCE_COLOR: '1' }, ['--no-color'], false],
  ])('%s decides', async (_name, env, flags, coloured) => {
    using folder = new Folder({ 'plan.json': '[{]' });
    const { stdout } = await folder.planvm(['check', 'plan.json', ...flags], { env });
    expect(stdout.includes(start)).toBe(coloured);
  });
});

test('a reader that goes away early is no failure', async () => {
  using folder = new Folder();
  const call = folder.start(['run', '--help']);
  call.process.stdout?.destroy();
  const { code, stderr } = await call.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
