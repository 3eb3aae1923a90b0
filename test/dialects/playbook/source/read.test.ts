/** Markdown to the tree: agents, playbooks, metadata, code, lines, places; and what is reported. */
import { describe, expect, test } from 'vitest';
import { withImports } from '../../../../src/dialects/playbook/source/import.ts';
import { readPlaybooks } from '../../../../src/dialects/playbook/source/read.ts';
import type { SourceLine } from '../../../../src/dialects/playbook/source/tree.ts';

/** As a published program is written, with all there is. */
const published = `#!/usr/bin/env pb
---
title: Harbour bikes   # of the whole file
tags: [a, "b, c"]
---
<!-- a comment
over lines -->
# Bike desk
model: some-model
You rent bikes. <!-- here too -->
Be brief.

\`\`\`python
@playbook
def FreeBikes(day, n = 2):
    """Lists bikes."""
    return [day, n]

@playbook(
    triggers=["When a rider gives a $phone"],
    public=True,
    metadata={"retrigger": "edge"},
)
def CheckPhone(phone, *rest):
    """Checks a number.

    Always."""
    return FreeBikes("# def X(): @no")
\`\`\`

====

## Book a bike($bike: str, deposit = 20) -> bool
public: true
Books {$bike}.

### Trigger
When $bike is set
### Steps
- one
  - two <!-- gone -->

    more of two
- three
  goes on
  \`\`\`json
  {"a": 1}
  \`\`\`

---

## Réserver un vélo

Just do it.

### Notes
1. first
   1) inner
2. second

# Weather
A server of weather.
remote:
  type: mcp
  url: http://127.0.0.1:9000/mcp

# Files
A file server.

remote:
  type: mcp
  url: http://127.0.0.1:9001/mcp

# Clara:Human
metadata:
  name: Clara
  delivery_channel: buffered
---
Clara decides.

# Tides:MCP
`;

const texts = (lines: readonly SourceLine[]): unknown[] =>
  lines.map(({ text, children }) => (children.length > 0 ? [text, texts(children)] : text));

describe('a file with all there is', () => {
  const { file, diagnostics } = readPlaybooks(published);
  const [desk, weather, files, clara, tides] = file.agents;
  const [check, book, reserve] = desk?.playbooks ?? [];

  test('nothing is reported', () => {
    expect(diagnostics).toEqual([]);
  });

  test('front matter, agents and their kinds', () => {
    expect(file.title).toBe('Harbour bikes');
    expect(file.metadata).toEqual({ title: 'Harbour bikes', tags: ['a', 'b, c'] });
    const heads = file.agents.map(({ kind, name, written }) => [name, written, kind]);
    expect(heads).toEqual([
      ['BikeDesk', 'Bike desk', 'ai'],
      ['Weather', 'Weather', 'mcp'],
      ['Files', 'Files', 'mcp'],
      ['Clara', 'Clara', 'human'],
      ['Tides', 'Tides', 'mcp'],
    ]);
    expect(tides?.description).toBe('');
  });

  test('metadata at the head of a description, and below it', () => {
    expect([desk?.metadata, desk?.description]).toEqual([
      { model: 'some-model' },
      'You rent bikes.\nBe brief.',
    ]);
    expect([weather?.metadata.remote, weather?.description]).toEqual([
      { type: 'mcp', url: 'http://127.0.0.1:9000/mcp' },
      'A server of weather.',
    ]);
    expect([files?.metadata.remote, files?.description]).toEqual([
      { type: 'mcp', url: 'http://127.0.0.1:9001/mcp' },
      'A file server.',
    ]);
    expect([clara?.metadata, clara?.description]).toEqual([
      { name: 'Clara', delivery_channel: 'buffered' },
      'Clara decides.',
    ]);
  });

  test('code without its marks, its lines at their places', () => {
    expect(desk?.code).toEqual([
      {
        place: { line: 14, column: 1 },
        text: [
          ...['', 'def FreeBikes(day, n = 2):', '    """Lists bikes."""', '    return [day, n]'],
          ...['', '', '', '', '', '', 'def CheckPhone(phone, *rest):'],
          ...['    """Checks a number.', '', '    Always."""'],
          '    return FreeBikes("# def X(): @no")',
        ].join('\n'),
      },
    ]);
  });

  test('a function that something sets off is a playbook too', () => {
    expect(check).toEqual({
      ...{ name: 'CheckPhone', written: 'CheckPhone', mode: 'code' },
      ...{ description: 'Checks a number.', isPublic: true, isHidden: false, steps: [], notes: [] },
      metadata: { retrigger: 'edge', public: true, execution_mode: 'code' },
      parameters: [{ name: 'phone' }],
      place: { line: 24, column: 1 },
      triggers: [
        { text: 'When a rider gives a $phone', children: [], place: { line: 19, column: 1 } },
      ],
    });
  });

  test('signatures, names in one word, sections as paragraphs and as lists', () => {
    expect([book?.name, book?.returns, book?.isPublic, book?.description]).toEqual([
      ...['BookABike', 'bool', true, 'Books {$bike}.'],
    ]);
    expect(book?.parameters).toEqual([
      { name: 'bike', hasDollar: true, type: 'str' },
      { name: 'deposit', default: '20' },
    ]);
    expect(texts(book?.triggers ?? [])).toEqual(['When $bike is set']);
    expect(texts(book?.steps ?? [])).toEqual([['one', ['two\nmore of two']], 'three goes on']);
    expect(book?.steps[1]).toMatchObject({
      block: '```json\n{"a": 1}\n```',
      place: { line: 44, column: 3 },
    });
    expect([reserve?.name, reserve?.mode]).toEqual(['RéserverUnVélo', 'react']);
    expect(texts(reserve?.notes ?? [])).toEqual([['first', ['inner']], 'second']);
  });
});

test('lines that are not a list are one each, under each other by how far they are in', () => {
  const steps = readPlaybooks('# A\n## B\n### Steps\nSay "a"\nIf $x\n  Say "b"\nReturn').file
    .agents[0]?.playbooks[0]?.steps;
  expect(texts(steps ?? [])).toEqual(['Say "a"', ['If $x', ['Say "b"']], 'Return']);
});

test('sections in other languages', () => {
  const [agent] = readPlaybooks('# A\n## B\n### Déclencheurs\n- Au début\n### Étapes\n- a').file
    .agents;
  const [playbook] = agent?.playbooks ?? [];
  expect([texts(playbook?.triggers ?? []), texts(playbook?.steps ?? [])]).toEqual([
    ['Au début'],
    ['a'],
  ]);
});

describe('free-form instructions are one playbook', () => {
  test.each([
    [
      '---\nname: pdf-forms\ndescription: Fills forms.\n---\n# Forms\n\n## Steps\n1. Look',
      'PdfForms',
    ],
    ['# Rent a bike\n\nAsk what they want.\n\n## Notes\n- Be kind\n', 'RentABike'],
    ['Just ask what they want.', 'Skill'],
    ['# A\n```yaml\nremote: x\n```\n', 'A'],
  ])('%j', (text, name) => {
    const { agents } = readPlaybooks(text).file;
    const [main, ...more] = agents[0]?.playbooks ?? [];
    expect([agents.length, agents[0]?.name, main?.name, main?.mode, more]).toEqual([
      ...[1, name, 'Main', 'react', []],
    ]);
    expect(texts(main?.triggers ?? [])).toEqual(['At the beginning']);
    expect(main?.description).not.toContain('name: pdf');
  });

  test('nothing is nothing', () => {
    expect(readPlaybooks('\n\n').file.agents).toEqual([]);
  });
});

describe('imports', () => {
  const files: Readonly<Record<string, string>> = {
    'steps.md': '- one\n  !import sub/more.md\n!import steps.md',
    'sub/more.md': '- two',
  };
  const text = withImports(
    '# A\n## B\n### Steps\n- first\n!import steps.md # all\n!import gone.md\n',
    (path, from) => files[from.includes('/') ? path : path.replace(/^\.\//, '')],
  );
  const { file, diagnostics } = readPlaybooks(text);

  test('take the places of their lines, each with its place in its file', () => {
    const steps = file.agents[0]?.playbooks[0]?.steps ?? [];
    expect(texts(steps)).toEqual(['first', ['one', ['two']]]);
    expect(steps[1]?.children[0]?.place).toMatchObject({ line: 1, file: 'sub/more.md' });
  });

  test('what cannot be imported is an error where it stands', () => {
    expect(diagnostics.map(({ message, line }) => [line, message.split(':')[0]])).toEqual([
      [3, 'cannot import steps.md'],
      [6, 'cannot import gone.md'],
    ]);
  });
});

const main = '# A\n## Main\n### Steps\n- a\n';
const deep = Array.from({ length: 25 }, (_, at) => `${' '.repeat(at)}- a`).join('\n');

test.each([
  ['a block without an end', `${main}  \`\`\`\n  b`, 'warning PV1402 5:3'],
  ['a block that takes playbooks', `# A\n\`\`\`tools\n${main}## B`, 'error PV1402 2:1'],
  ['a comment without an end', `${main}<!-- a`, 'warning PV1403 5:1'],
  ['a comment that takes playbooks', `${main}<!-- a\n## B`, 'error PV1403 5:1'],
  ['a slip in a heading', '# A\n## Main\n### Step\n- a\n### Triger\n- b', 'warning PV1404 5:5'],
  ['steps without a playbook', '# A\n### Steps\n- a', 'warning PV1404 2:5'],
  ['a playbook with the name of a section', `${main}## Steps\n- a`, 'warning PV1404 5:4'],
  ['text before the first heading', `Hello\nall\n${main}`, 'warning PV1405 1:1'],
  ['a parameter that is not a name', '# A\n## F(2)\n### Steps\n- a', 'warning PV1406 2:4'],
  ['an unknown kind of agent', `# A:Robot\n${main.slice(4)}`, 'warning PV1407 1:3'],
  ['nesting without end', `# A\n## B\n### Steps\n${deep}`, 'error PV1413 24:23'],
  [
    'a mark that is computed',
    `# A\n\`\`\`tools\n@playbook(x = 1 + 1)\ndef F(): pass\n\`\`\`\n${main}`,
    'warning PV1414 3:1',
  ],
  ['an odd indent', '# A\n## B\n### Steps\n- a\n    - b\n  - c', 'warning PV1416 6:5'],
  ['a stray block', '# A\n## B\n### Steps\n```\na\n```\n- a', 'warning PV1421 5:1'],
  ['a long line', `${main}- ${'a'.repeat(2001)}`, 'warning PV1422 5:3'],
  ['metadata that are not YAML', `# A\npublic: [\n${main.slice(4)}`, 'warning PV1401 2:9'],
  ['a server that is not taken', `# A\nA server.\nremote: http://a\n${main}`, 'error PV1401 3:1'],
  [
    'a mode that there is not',
    '# A\n## B\nexecution_mode: fast\n### Steps\n- a',
    'warning PV2434 2:4',
  ],
])('%s is reported', (_, text, ...problems) => {
  const found = readPlaybooks(text).diagnostics.map(
    ({ code, column, line, severity }) => `${severity} ${code} ${line}:${column}`,
  );
  expect(found).toEqual(problems);
});

test.each([
  'model: use your judgement',
  'remote work is fine',
  'public: everybody may come',
  'Metadata:',
])('a sentence below the text of a description stays text: %s', (line) => {
  const { agents } = readPlaybooks(`# A\nText.\n\n${line}\n${main}`).file;
  expect(agents[0]?.description).toBe(`Text.\n\n${line}`);
});
