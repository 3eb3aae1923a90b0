/** Functions and classes of a module as tools, by option and by configuration. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';

const mail = `
type Mode = 'fast' | 'slow';

/** Looks things up. */
export class MailHelpers {
  /**
   * Says how a letter would go.
   *
   * @param to Who gets it.
   * @effect pure
   */
  static route(to: string, mode: Mode = 'fast', stops?: string[]): string {
    return [to, mode, ...(stops ?? [])].join(' ');
  }

  #count = 0;

  /** Counts. @effect write */
  async next(by: number = 1): Promise<number> {
    this.#count += by;
    return this.#count;
  }

  _own(): void {}
}

/** Adds. @effect pure */
export const add = (a: number, b: number): number => a + b;

export function silent(a) {}
`;

const program = `answer([
  MailHelpers.route("Ann"),
  MailHelpers.route(to = "Bob", mode = "slow", stops = ["Rome"]),
  MailHelpers.next(),
  MailHelpers.next(by = 5),
])`;

test('the methods of a class are tools, with what their author has written', async () => {
  using folder = new Folder({ 'mail.ts': mail, 'a.star': program });
  const args = ['--tools', './mail.ts#MailHelpers'];
  const done = await folder.planvm(['run', 'a.star', ...args, '--json']);
  expect(JSON.parse(done.stdout)).toMatchObject({
    answer: ['Ann fast', 'Bob slow Rome', 1, 6],
    warnings: [],
  });
  // Each run has an instance of its own.
  const again = await folder.planvm(['run', 'a.star', ...args, '--json']);
  expect(JSON.parse(again.stdout).answer.slice(2)).toEqual([1, 6]);

  const shown = await folder.planvm(['tools', 'show', 'MailHelpers.route', ...args]);
  expect(shown.stderr).toBe('');
  expect(shown.stdout).toContain(
    'MailHelpers.route(to: string, mode: "fast" | "slow" = "fast", stops: list of string = …)' +
      ' -> string  (pure)',
  );
  expect(shown.stdout).toMatch(/to +string +required +Who gets it\./);
  const listed = await folder.planvm(['tools', 'ls', 'MailHelpers', ...args]);
  expect(listed.stdout).toContain('MailHelpers.next');
  expect(listed.stdout).not.toContain('_own');
});

test('one that is called as a built-in function takes its place, also where it is not run', async () => {
  using folder = new Folder({
    'sums.ts': 'export function coerce(a: number, b: number): number { return a + b; }\n',
    'planvm.config.json': { helpers: './sums.ts' },
    'sum.star': 'answer(coerce(1, b = 2))\n',
  });
  const checked = await folder.planvm(['check', 'sum.star', '--json']);
  expect(JSON.parse(checked.stdout).diagnostics).toMatchObject([
    {
      severity: 'warning',
      hint: expect.stringMatching(
        /^sums\.ts may declare it: no modules are imported; (a tool|none)/,
      ),
    },
  ]);
  const ran = await folder.planvm(['run', 'sum.star', '--json']);
  expect(JSON.parse(ran.stdout).answer).toBe(3);
});

test('a configuration names helpers; a module alone means all that it exports', async () => {
  using folder = new Folder({
    'mail.ts': mail,
    'planvm.config.json': { helpers: './mail.ts' },
    'a.star': 'answer([add(a = 2, b = 3), MailHelpers.route("x"), silent(a = 1)])',
  });
  const done = await folder.planvm(['run', 'a.star', '--json']);
  const { answer, warnings } = JSON.parse(done.stdout);
  expect(answer).toEqual([5, 'x fast', null]);
  expect(warnings).toMatchObject([{ code: 'PV4204', message: expect.stringContaining('silent') }]);
  const wrong = await folder.planvm(['run', '-', '--json'], {
    input: 'answer(MailHelpers.route("x", mode = "slowly"))',
  });
  expect(JSON.parse(wrong.stdout).error.message).toContain('mode');

  // Whoever takes a run up has the helpers that it was started with.
  expect(await folder.planvm(['run', 'a.star', '--effects', '1'])).toMatchObject({ code: 5 });
  folder.write('planvm.config.json', {});
  const resumed = await folder.planvm(['resume', 'last', '--effects', '9']);
  expect(resumed).toMatchObject({ code: 0 });
});

test.each([
  ['#Mial', 'has no helper Mial'],
  ['#MailHelpers.rout', 'did you mean MailHelpers.route?'],
  ['', 'or name helpers: mail.ts#Class'],
])('what is wrong with "mail.ts%s" is said', async (name, words) => {
  using folder = new Folder({ 'mail.ts': mail });
  const done = await folder.planvm(['tools', '--tools', `./mail.ts${name}`]);
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('error PV6009');
  expect(done.stderr).toContain(words);
});
