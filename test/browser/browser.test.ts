/** The entry for browsers beside the library: the same texts, the same diagnostics and programs. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  argumentsOf,
  check,
  createMachine,
  DialectError,
  type DialectName,
  dataOf,
  openDialect,
  outcomeOf,
  restoreMachine,
  type Tool,
} from '../../src/browser.ts';
import { checkProgram, dialects } from '../../src/dialects/index.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { filesUnder, textOf } from '../support/repo.ts';

const tools: readonly Tool[] = [
  {
    name: 'price',
    description: 'The price of an article.',
    parameters: { type: 'object', properties: { article: { type: 'string' } } },
    effect: 'read',
  },
];

const plan = textOf('examples/browser/plan.json');

const starlark = `
words = [price(article=name) for name in sorted(["milk", "bread"])]
answer(json.encode({"sum": sum(words), "text": "{:.1f}".format(math.sqrt(words[0]))}))
`;

const fuel = 100_000;

function programOf(text: string, dialect: DialectName) {
  const { program, diagnostics } = check(text, { tools, inputs: ['article'], dialect });
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

describe('before anything is opened', () => {
  test('a plan runs, also from a snapshot that went through JSON', () => {
    const program = programOf(plan, 'stackvm-2');
    const first = createMachine(program, { tools, inputs: { article: 'bread' } });
    expect(first.run(fuel).requests.map(argumentsOf)).toEqual([{ article: 'bread' }]);
    const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
    const second = restoreMachine(program, snapshot, { tools });
    const [request] = second.run(fuel).requests;
    second.settle(request?.id ?? '', outcomeOf(2n ** 60n));
    expect(second.run(fuel).status).toBe('done');
    expect(second.view().answers.map(({ value }) => dataOf(value))).toEqual([
      'bread costs 1152921504606846976 euros.',
    ]);
  });

  test('Starlark is a dialect that is not there', () => {
    const { ok, diagnostics } = check('answer(1)', { dialect: 'starlark' });
    expect(ok).toBe(false);
    expect(diagnostics.map(({ code }) => code)).toEqual(['PV2001']);
    const { program } = checkProgram('answer(1)', { tools: new Map(), inputs: [] });
    if (!program) throw new Error('want a program of Starlark');
    expect(() => createMachine(program)).toThrow("await openDialect('starlark')");
    expect(() => createMachine(program)).toThrow(DialectError);
  });

  test('a name that no dialect has is refused', async () => {
    await expect(openDialect('starlight' as DialectName)).rejects.toThrow(
      'got the dialect starlight, want one of stackvm-1, stackvm-2, starlark',
    );
  });
});

describe('with every dialect', () => {
  beforeAll(async () => {
    for (const { name } of dialects) await openDialect(name as DialectName);
  });

  test('Starlark has its whole library', () => {
    const machine = createMachine(programOf(starlark, 'starlark'), { tools });
    for (const { id } of machine.run(fuel).requests) machine.settle(id, outcomeOf(4));
    machine.run(fuel);
    expect(machine.view().error).toBeUndefined();
    const [answer] = machine.view().answers;
    expect(dataOf(answer?.value ?? null)).toBe('{"sum":8,"text":"2.0"}');
  });

  const programs = [...filesUnder('test/golden'), ...filesUnder('examples')].filter(
    (path) => /\.(?:json|star|stack|md|txt)$/.test(path) && !path.includes('/histories/'),
  );

  test.each(programs)('%s is checked as the library checks it', (path) => {
    const text = textOf(path);
    const environment = { tools: new Map(tools.map((tool) => [tool.name, toolSpec(tool)])) };
    const expected = checkProgram(text, { ...environment, inputs: [] });
    expect(check(text, { tools })).toEqual(expected);
  });

  test('every dialect is among those texts', () => {
    const found = new Set(programs.map((path) => check(textOf(path), { tools }).dialect));
    expect(dialects.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
  });
});
