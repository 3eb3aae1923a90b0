/** The dialect beside the others: what it takes for its own, in replies and in parts. */
import { describe, expect, test } from 'vitest';
import { checkActions } from '../../../src/dialects/llmcompiler/check.ts';
import { detectActions, findActions } from '../../../src/dialects/llmcompiler/detect.ts';
import { planForm } from '../../../src/dialects/llmcompiler/form.ts';
import { giveId, idsAfter, resolveId } from '../../../src/dialects/llmcompiler/ids.ts';
import { llmcompiler } from '../../../src/dialects/llmcompiler/index.ts';
import { planParts } from '../../../src/dialects/llmcompiler/parts.ts';
import { planOf, readPlan } from '../../../src/dialects/llmcompiler/plan.ts';
import { filesUnder, textOf } from '../../support/repo.ts';
import { read, shown } from './reading.ts';
import { environment, tools } from './tools.ts';

const plan = `Question: how warm was it?

Thought: is it there?
1. NodeStatus[]

Thought: ask for the days
2. TemperatureRange[2024-02-15, 2024-02-17]  # three days

Thought: all is there
3. join()
<END_OF_PLAN>
`;

test('a plan as it should be is read without a word', () => {
  const { tasks, join, diagnostics } = read(plan);
  expect(tasks).toEqual([
    '1. NodeStatus()',
    '2. TemperatureRange(start_date="2024-02-15", end_date="2024-02-17")',
  ]);
  expect({ join, diagnostics }).toEqual({ join: 'join()', diagnostics: [] });
  expect(llmcompiler.parse(plan).tree).toMatchObject({
    question: 'how warm was it?',
    tasks: [{ thought: 'is it there?' }, { thought: 'ask for the days' }],
    join: { thought: 'all is there' },
  });
});

/** The mistakes that LLMCompiler's syntax glossary warns of, and the form that each hint shows. */
test.each([
  ['Action: NodeStatus()\nAction ID: 1', 'PV1203', '1. NodeStatus[…]'],
  ['Action: NodeStatus()\nAction ID: 1', 'PV1204', '1. NodeStatus[…]'],
  ['1. NodeStatus[]\n2. Temperature[2024-02-18]', 'PV2602', 'Thought:'],
  ['Action: Finish[it was warm]', 'PV1206', '1. join()'],
  ['1. NodeStatus[]', 'PV2603', '2. join()'],
  ['1. NodeStatus[]\nFinal Answer: it was warm', 'PV1207', '2. join()'],
  ['1. NodeStatus', 'PV1201', '1. NodeStatus[…]'],
  ['1. any(1)\n2. join', 'PV1224', '2. join()'],
  ['NodeStatus[]', 'PV1202', '1. NodeStatus[]'],
  ['1. NodeStatus[]\nObservation: fine', 'PV2621', 'leave it out'],
  ['2. NodeStatus[]', 'PV2606', 'begin with 1'],
  ['Action: search\nAction Input: "x"', 'PV1205', 'search["x"]'],
  ['Thoughts: a\n1. NodeStatus[]', 'PV1218', 'Thought:'],
  ['Here is a plan for you.\n1. NodeStatus[]', 'PV1215', '1. tool[…]'],
  ['Gedanke: da?\n1. NodeStatus[]', 'PV1228', 'thought of action 1 write Thought:'],
])('%j: %s shows %j', (text, code, form) => {
  const found = read(text).diagnostics.find((one) => one.code === code);
  expect(`${found?.message} ${found?.hint}`).toContain(form);
});

describe('a line before a call, in whatever language, is its thought', () => {
  const thoughts = (text: string): (string | undefined)[] => {
    const { tree } = llmcompiler.parse(text);
    return [...(tree?.tasks ?? []), tree?.join].map((call) => call?.thought);
  };

  test.each<[text: string, thoughts: readonly (string | undefined)[]]>([
    ['思考：先看\n1. any(1)\n思考：再看\n还有\n2. join()', ['思考：先看', '思考：再看\n还有']],
    [
      'Frage: wie?\nGedanke: so\n1. any(1)\n\nDann das Ende\n2. join()',
      ['Gedanke: so', 'Dann das Ende'],
    ],
    ['Bien sûr, voici le plan.\n1. any(1)\n2. join()', ['', '']],
    ['I look for it.\nAction: any(1)\nAction: any(2)\njoin()', ['I look for it.', '', '']],
    ['Мысль: раз\n1. any(1)\nso\nThought: two\n2. join()', ['Мысль: раз', 'two']],
    ['1. any(1)\n---\n# why\n...\n<step>\n2. join()', ['', '']],
    ['https://example.org\n1. any(1)', ['', undefined]],
  ])('%j', (text, wanted) => {
    expect(thoughts(text)).toEqual(wanted);
  });

  test('a part of the plan begins with it', () => {
    const text = 'Gedanke: so\n1. any(1)\nGedanke: und so\n2. any(2)\n3. join()';
    expect(planParts.of(text).map((part) => part.text)).toEqual([
      'Gedanke: so\n1. any(1)',
      'Gedanke: und so\n2. any(2)',
    ]);
  });
});

test('an observation belongs to its task, and is never executed', () => {
  const text = `1. search("a")\nObservation: 2. search("b")\n  3. search("c")\n{"x": 1}\n2. search("d")`;
  expect(read(text).tasks).toEqual(['1. search(query="a")', '2. search(query="d")']);
  expect(llmcompiler.parse(text).tree?.items).toContainEqual(
    expect.objectContaining({ kind: 'observation', of: '1', text: expect.stringContaining('"c"') }),
  );
});

test('what an end answers', () => {
  expect(read('1. any(1)\n2. join($1)').join).toBe('join(ref(1))');
  expect(read('1. any(1)\n2. join($1.a[0])').join).toBe('join(ref(1.a.0))');
  expect(read('1. any(1)\n2. join("It is $1.")').join).toBe('join(text("It is ", ref(1), "."))');
  expect(read('1. any(1)\n2. JOIN(42)').join).toBe('join(42)');
  expect(read('1. any(1)\n2. join(It is $1, I think)').join).toBe(
    'join(text("It is ", ref(1), ", I think"))',
  );
  expect(read('1. any(1)\nAction: Finish[8,848.86]').join).toBe('join("8,848.86")');
  const several = read('1. any(1)\n2. any(2)\n3. join($1, $2)');
  expect(several).toMatchObject({ join: 'join()', codes: ['PV2622'] });
  const behind = read('1. any(1)\n2. join()\n3. any(2)\n4. join()');
  expect(behind).toMatchObject({ tasks: ['1. any(x=1)'], codes: ['PV1217', 'PV1217'] });
});

describe('detect', () => {
  test.each([
    [plan, 0.9, 1],
    ['1. search("a")', 0.7, 1],
    ['$1 = search("a")', 0.7, 1],
    ['```\n1. search("a")\n```', 0.7, 1],
    ['I will search:\n1. search("a")', 0.2, 0.5],
    ['Thought: a\nAction: search[a]', 0, 0.3],
    ['1. find the way\n2. go there', 0, 0],
    ['[{"seq_no": 0, "type": "assign", "parameters": {"x": "\n1. search(a)"}}]', 0, 0],
    ['def f():\n    return 1\n\nanswer(f())\n', 0, 0],
    ['', 0, 0],
  ])('%j', (text, least, most) => {
    const { plan: sure } = detectActions(text);
    expect(sure).toBeGreaterThanOrEqual(least);
    expect(sure).toBeLessThanOrEqual(most);
  });

  test('takes no program of another dialect for its own', () => {
    const golden = ['stackvm-1', 'stackvm-2'].map((name) => `test/golden/${name}`);
    const others = [...golden, 'examples', 'src/loops', 'test/dialects/starlark']
      .flatMap((folder) => filesUnder(folder))
      .filter((path) => /\.(json|star)$/.test(path));
    expect(others.length).toBeGreaterThan(50);
    const taken = others.filter((path) => {
      const { plan: sure, transcript } = detectActions(textOf(path));
      return Math.max(sure, transcript) >= 0.4;
    });
    expect(taken).toEqual([]);
  });
});

describe('in a reply', () => {
  test.each([
    [`Sure:\n\`\`\`text\n${plan}\`\`\`\nThat is it.`, plan],
    [`<think>1. search("no")</think>\n1. search("a")\n2. join()`, '1. search("a")\n2. join()\n'],
    [
      'First `1. x`:\n```\n1. any(1)\n```\nthen\n```\n1. any(1)\n2. any(2)\n```',
      '1. any(1)\n2. any(2)\n',
    ],
    ['There is nothing to do.', undefined],
    ['```json\n{"a": 1}\n```', undefined],
  ])('%j', (reply, found) => {
    expect(findActions(reply)).toBe(found);
  });
});

describe('in parts', () => {
  const { of, replace } = planParts;

  test('each task with its thought', () => {
    expect(of(plan)).toMatchObject([
      { label: '1', text: 'Thought: is it there?\n1. NodeStatus[]' },
      { label: '2', text: expect.stringContaining('# three days') },
    ]);
    expect(of('nothing')).toEqual([]);
  });

  test.each([
    [
      'step',
      'Thought: one\n2. Temperature[2024-02-15]',
      'one\n2. Temperature[2024-02-15]\n\nThought: all',
    ],
    ['rest', '2. search("x")', '1. NodeStatus[]\n\n2. search("x")\n3. join()\n<END_OF_PLAN>\n'],
    [
      'rest',
      '2. search("x")\n3. search("y")\n4. join($3)',
      '3. search("y")\n4. join($3)\n<END_OF_PLAN>\n',
    ],
    ['rest', '1. NodeStatus()\n2. search("x")', '1. NodeStatus[]\n\n2. search("x")\n3. join()'],
  ] as const)('takes a %s: %j', (scope, written, part) => {
    const replaced = replace(plan, { at: '2', scope, written });
    expect('text' in replaced ? replaced.text : '').toContain(part);
    expect('text' in replaced && read(replaced.text).codes).toEqual([]);
  });

  test('of a call without its bracket the line below is no part', () => {
    const text = '1. any([1\nThought: two\n2. any(2)\n3. join()\n';
    const replaced = replace(text, { at: '1', scope: 'step', written: '1. any(3)' });
    expect(replaced).toEqual({ text: text.replace('any([1', 'any(3)') });
  });

  test.each([
    ['step', '2. any(1)\n3. any(2)', 'want one task 2'],
    ['step', '4. any(1)', 'has to be 2'],
    ['rest', '1. any(1)\n2. any(2)', 'task 1 is changed'],
    ['rest', '1. NodeStatus[]', 'nothing in it'],
    ['rest', 'no', 'no task in it'],
  ] as const)('refuses a %s: %j', (scope, written, problem) => {
    const found = replace(plan, { at: '2', scope, written });
    expect(found).toEqual({ problem: expect.stringContaining(problem) });
  });
});

test('what is given is named in braces: alone, in text, in numbers', () => {
  const inputs = ['city', 'rows', 'n'];
  const text = [
    ...[
      'Thought: a',
      `1. any(\${city})`,
      'Thought: b',
      `2. any("to \${city}: \${rows[0].name}, $city")`,
    ],
    ...['Thought: c', `3. double(\${n} * 2 + $2)`, 'Thought: d', `4. any("\\\${city} $$1")`],
    ...['Thought: e', `5. join("\${rows[1].name} in \${city}")`],
  ];
  const { tree } = llmcompiler.parse(text.join('\n'));
  if (!tree) throw new Error('every text has a tree');
  const known = { ...environment, inputs };
  const { tasks, join } = planOf(tree, known);
  expect(llmcompiler.check(tree, known)).toEqual([]);
  expect(tasks.map(({ args, needs }) => shown(args, needs))).toEqual([
    '(x=ref(city))',
    '(x=text("to ", ref(city), ": ", ref(rows.0.name), ", $city"))',
    '(value=number(ref(n), " * 2 + ", ref(2)))',
    `(x="\${city} $1")`,
  ]);
  expect(shown(join.answer?.value ?? null, join.answer?.needs ?? [])).toBe(
    'text(ref(rows.1.name), " in ", ref(city))',
  );
  expect(llmcompiler.describe(known)).toContain(`\`\${city}\`, \`\${rows}\`, \`\${n}\``);
});

test('what is not given is an error, with the name that was meant', () => {
  const { tree } = llmcompiler.parse(`Thought: a\n1. any("to \${citi}")\nThought: b\n2. join()`);
  if (!tree) throw new Error('every text has a tree');
  const said = llmcompiler.check(tree, { ...environment, inputs: ['city'] });
  expect(said).toMatchObject([
    { code: 'PV2630', severity: 'error', message: 'there is no input citi' },
  ]);
  expect(said[0]?.hint).toBe(`did you mean city?; write \\\${citi} for the text itself`);
});

test.each([
  ['1 - NodeStatus[]\n2 - join()', 'begin a line with 1. NodeStatus[…]'],
  ['(1) NodeStatus[]', 'begin a line with 1. NodeStatus[…]'],
  ['1 NodeStatus[]', 'begin a line with 1. NodeStatus[…]'],
  ['Thought: a 1. NodeStatus[] Thought: b 2. join()', 'begin a line with 1. NodeStatus[…]'],
  ['Nothing of it.', 'an action is written 1. tool[…], the end 2. join()'],
])('%j is no plan, and the error shows the form', (text, hint) => {
  const found = checkActions(readPlan(text), environment, planForm);
  expect(found.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'PV2601', hint },
  ]);
});

test('an end with nothing before it is an error, unless it says the answer', () => {
  const errors = (text: string) =>
    checkActions(readPlan(text), environment, planForm).filter((one) => one.severity === 'error');
  for (const end of ['1. join()', '2. join[ ]']) {
    expect(errors(end)).toMatchObject([
      { code: 'PV2601', message: expect.stringContaining('nothing before it') },
    ]);
  }
  expect(errors('1. join("It is 4.")')).toEqual([]);
});

test('numbers of several plans of one run', () => {
  const first = idsAfter();
  expect(['1', '2'].map((id) => giveId({ id, start: 0 }, first))).toEqual(['1', '2']);
  const anew = idsAfter(['1', '2']);
  expect(['1', '2'].map((id) => giveId({ id, start: 0 }, anew))).toEqual(['3', '4']);
  expect(['1', '2', '3'].map((id) => resolveId(id, anew))).toEqual(['3', '4', undefined]);
  const on = idsAfter(['1', '2', '3', '4']);
  expect(giveId({ id: '5', start: 0 }, on)).toBe('5');
  expect(['2', '4', '5', '6'].map((id) => resolveId(id, on))).toEqual(['2', '4', '5', undefined]);
});

test('is described as it was, with the tools that there are', async () => {
  const text = llmcompiler.describe(environment);
  await expect(text).toMatchFileSnapshot('../../golden/describe/llmcompiler.md');
  for (const name of environment.tools.keys()) expect(text).toContain(`\n- \`${name}[`);
  expect(llmcompiler.describe({ tools: new Map(), inputs: [] })).not.toContain('## Tools');
});

test('of many tools a message names the two that may be meant', () => {
  const [any] = tools;
  if (!any) throw new Error('there are tools');
  const many = Array.from({ length: 40 }, (_, i) => ({ ...any, name: `tool_${i}` }));
  const tree = readPlan('1. find_any_tool_here[]\n2. join()');
  const [wrong] = planOf(tree, {
    tools: new Map(many.map((spec) => [spec.name, spec])),
    inputs: [],
  }).diagnostics;
  const hint = expect.stringMatching(/^a tool with a name like it is tool_\d+, another tool_\d+$/);
  expect(wrong).toMatchObject({ code: 'PV2611', hint });
});
