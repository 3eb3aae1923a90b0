/** Markdown to the tree: agents, playbooks, metadata, code, places; and texts without structure. */
import { describe, expect, test } from 'vitest';
import { detect } from '../../../src/dialects/index.ts';
import { withImports, written } from '../../../src/dialects/playbook/source/import.ts';
import { readPlaybooks } from '../../../src/dialects/playbook/source/read.ts';
import type { Playbook } from '../../../src/dialects/playbook/source/tree.ts';

const text = `#!/usr/bin/env planvm
---
title: Harbour bikes   # of the whole file
tags: [a, "b, c"]
---
<!-- a comment
over lines -->
# Bike desk
model: some-model
remote:
  type: none

You rent bikes. <!-- here too -->
Be brief.

\`\`\`python
@playbook(triggers=["x"])
async def FreeBikes(day: str, n: int = 2) -> list:
    return [day, n]
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

---

## Réserver un vélo

Just do it.

### Hints
- a hint

# Clara:Human
metadata:
  name: Clara
  delivery_channel: buffered
---
Clara decides.

# Tides:MCP
`;

describe('a file with all there is', () => {
  const { file, diagnostics } = readPlaybooks(text);
  const [desk, clara, tides] = file.agents;
  const [free, book, reserve] = desk?.playbooks ?? [];

  test('front matter, agents and their kinds', () => {
    expect(file.title).toBe('Harbour bikes');
    expect(file.metadata).toEqual({ title: 'Harbour bikes', tags: ['a', 'b, c'] });
    expect([desk, clara, tides].map((agent) => [agent?.name, agent?.written, agent?.kind])).toEqual(
      [
        ['BikeDesk', 'Bike desk', 'mcp'],
        ['Clara', 'Clara', 'human'],
        ['Tides', 'Tides', 'mcp'],
      ],
    );
    expect(clara?.metadata).toEqual({ name: 'Clara', delivery_channel: 'buffered' });
    expect(clara?.description).toBe('Clara decides.');
  });

  test('metadata at the head of a description, and what is left of it', () => {
    expect(desk?.metadata).toEqual({ model: 'some-model', remote: { type: 'none' } });
    expect(desk?.description).toBe('You rent bikes.\nBe brief.');
  });

  test('code without the words that only Python has, at its place', () => {
    expect(desk?.code).toEqual([
      {
        text: '\ndef FreeBikes(day, n= 2):\n    return [day, n]',
        place: { line: 17, column: 1 },
        gives: { FreeBikes: 'list' },
      },
    ]);
    // What is held to its types has them.
    expect(diagnostics.filter(({ code }) => code === 'PV1414')).toMatchObject([
      { line: 18, message: expect.stringContaining('got async') },
    ]);
  });

  test('types that a function with a mark is held to are not said to be left out', () => {
    const left = (mark: string) =>
      readPlaybooks(
        `# A\n\`\`\`tools\n${mark}def F(n: int):\n    return n\n\`\`\`\n## Main\n### Steps\n- F(1)\n`,
      ).diagnostics.map(({ message }) => message);
    expect(left('@playbook(public = True)\n')).toEqual([]);
    expect(left('')).toEqual([expect.stringContaining('got types of parameters')]);
  });

  test('a function that something sets off is a playbook too, at its place', () => {
    expect(free).toEqual({
      ...{ name: 'FreeBikes', written: 'FreeBikes', mode: 'code', returns: 'list' },
      ...{ description: '', metadata: { execution_mode: 'code' }, isPublic: false },
      ...{ isHidden: false, place: { line: 18, column: 1 }, steps: [], notes: [] },
      triggers: [{ text: 'x', children: [], place: { line: 17, column: 1 } }],
      parameters: [
        { name: 'day', scope: 'local', type: 'str' },
        { name: 'n', scope: 'local', type: 'int', default: '2' },
      ],
    });
  });

  test('signatures, names in one word, triggers without a list', () => {
    expect(book?.name).toBe('BookABike');
    expect(book?.parameters).toEqual([
      { name: 'bike', scope: 'state', type: 'str' },
      { name: 'deposit', scope: 'local', default: '20' },
    ]);
    expect([book?.returns, book?.isPublic, book?.description]).toEqual([
      'bool',
      true,
      'Books {$bike}.',
    ]);
    expect(book?.triggers).toEqual([
      { text: 'When $bike is set', children: [], place: { line: 29, column: 1 } },
    ]);
    expect(reserve?.name).toBe('RéserverUnVélo');
    expect(reserve?.mode).toBe('react');
  });

  test('steps with their blocks, paragraphs and places', () => {
    expect(book?.steps).toEqual([
      {
        text: 'one',
        place: { line: 31, column: 3 },
        children: [{ text: 'two\nmore of two', place: { line: 32, column: 5 }, children: [] }],
      },
      { text: 'three', place: { line: 35, column: 3 }, children: [] },
    ]);
  });
});

const playbookOf = (body: string): Playbook => {
  const [one] = readPlaybooks(`# A\n## P\n${body}\n## Other(x)\n`).file.agents[0]?.playbooks ?? [];
  if (!one) throw new Error('no playbook');
  return one;
};

describe('modes', () => {
  test.each([
    ['### Steps\n- a', 'steps'],
    ['Do it.', 'react'],
    ['execution_mode: raw\nWrite it.', 'raw'],
    ['execution_mode: react\n### Steps\n- a', 'react'],
  ])('%j is %s', (body, mode) => {
    expect(playbookOf(body).mode).toBe(mode);
  });
});

describe('free-form instructions', () => {
  const skill =
    '---\nname: pdf-forms\ndescription: Fills in forms.\n---\n# Forms\n\n## First\nOpen it.\n\n```python\nx = 1\n```\n';

  test('are one agent with one playbook, which begins and is followed as a whole', () => {
    const [agent, ...others] = readPlaybooks(skill).file.agents;
    expect(others).toEqual([]);
    expect([agent?.name, agent?.description, agent?.code]).toEqual([
      'PdfForms',
      'Fills in forms.',
      [],
    ]);
    const [main] = agent?.playbooks ?? [];
    expect([main?.name, main?.mode, main?.triggers[0]?.text]).toEqual([
      'Main',
      'react',
      'At the beginning',
    ]);
    expect(main?.description).toBe('# Forms\n\n## First\nOpen it.\n\n```python\nx = 1\n```');
  });

  test.each([
    '# A\n## P\n### Steps\n- a',
    '# A\n## P($x)\nDo it.',
    '# A:Human\nWho?',
    '# A\n## P\nexecution_mode: raw\nWrite.',
  ])('%j is none', (source) => {
    expect(readPlaybooks(source).file.agents[0]?.playbooks[0]?.name ?? 'none').not.toBe('Main');
  });
});

describe('where placeholders stand in the file', () => {
  const linesOf = (text: string) =>
    readPlaybooks(text).file.agents[0]?.playbooks[0]?.filledLines?.map(({ line }) => line) ?? [];

  test('in free-form instructions, and in the blocks of code of those', () => {
    const text =
      '---\nname: x\n---\n# A skill\n\nAsk for {1 + 1}.\n\n```\n{2 + 2}\n{3 + 3}\n```\n{4}\n';
    expect(linesOf(text)).toEqual([6, 9, 10, 12]);
  });

  test('in a description, before, in and behind a block of code', () => {
    const text = '# A\n## Main\n\n{1}\n\n```text\nno {2}\n\n{3}\n```\n---\n{4}\n### Steps\n- Go\n';
    expect(linesOf(text)).toEqual([4, 7, 9, 12]);
  });
});

describe('which texts are playbooks', () => {
  const nameOf = (source: string, file?: string): string => {
    const found = detect(source, file === undefined ? {} : { file });
    return 'name' in found ? found.name : found.code;
  };

  test('by their headings, or by the names of their files', () => {
    expect(nameOf('# A\n## P\n### Steps\n- Say "hi"\n')).toBe('playbook');
    expect(nameOf('# A\n## P\n### Trigger\n01:BGN x\n### Steps\n01:QUE Say(hi)\n')).toBe(
      'playbook',
    );
    for (const file of ['x.playbook.md', 'x.pbasm', 'x.pb', 'skills/pdf/SKILL.md']) {
      expect(nameOf('# Anything', file)).toBe('playbook');
    }
  });

  test('instructions in a file of Markdown, where nothing else reads them', () => {
    const titled = ['# Tides\n\nLook them up.\n', '---\nname: tides\n---\nLook them up.\n'];
    for (const text of [...titled, 'Look them up.\n', '\n1. Look them up.\n2. Say them.\n']) {
      expect(nameOf(text, 'tides.md')).toBe('playbook');
      expect(nameOf(text, 'tides.txt')).toBe('PV2002');
      expect(nameOf(text)).toBe('PV2002');
    }
    expect(nameOf('[{"op": "assign"', 'plan.md')).not.toBe('playbook');
    for (const text of ['The plan:\n```json\n[{"op"', '<plan></plan>']) {
      expect(detect(text, { file: 'plan.md' })).toMatchObject({
        code: 'PV2002',
        hint: expect.stringContaining('--dialect playbook'),
      });
    }
  });

  test('not a readme, a plan or a reply in words', () => {
    expect(nameOf('# Title\n\n## Install\n\n- one\n- two\n')).toBe('PV2002');
    expect(nameOf('1. search["x"]\n2. join()\n')).not.toBe('playbook');
  });
});

describe('imports', () => {
  const files: Readonly<Record<string, string>> = {
    'steps.md': '- a\n  - b\n',
    'twice.md': '!import steps.md\n!import steps.md\n',
    'self.md': 'x\n!import self.md\n',
  };
  const read = (path: string) => files[path];
  const linesOf = (text: string) => written(withImports(text, read)).texts.join('\n').trimEnd();

  test('take the place of their line, as far in as that', () => {
    expect(linesOf('# A\n  !import steps.md # why\nz')).toBe('# A\n  - a\n    - b\nz');
    expect(linesOf('!import twice.md')).toBe('- a\n  - b\n- a\n  - b');
  });

  test('are items where their line is one', () => {
    const more = { ...files, 'text.md': 'One\n two' };
    const read = (path: string) => Reflect.get(more, path);
    const linesOf = (text: string) => written(withImports(text, read)).texts.join('\n').trimEnd();
    expect(linesOf('- x\n  - !import steps.md\n- !import text.md')).toBe(
      '- x\n  - a\n    - b\n- One\n   two',
    );
    expect(linesOf('1. !import "none.md"')).toBe('1. !import "none.md"');
    const { at } = written(withImports('  - !import text.md', read));
    expect([at(0, 5), at(1, 6)]).toEqual([
      { line: 1, column: 1, file: 'text.md' },
      { line: 2, column: 2, file: 'text.md' },
    ]);
  });

  test('stay and are said where there is no file, or one that imports itself', () => {
    const text = '# A\n!import none.md\n!import self.md\n';
    expect(linesOf(text)).toBe('# A\n!import none.md\nx\n!import self.md');
    const said = readPlaybooks(withImports(text, read)).diagnostics;
    expect(said.map(({ code, file, line }) => [code, file, line])).toEqual([
      ['PV1408', undefined, 2],
      ['PV1408', 'self.md', 2],
    ]);
  });
});

test('metadata behind text is said to be read as that', () => {
  const lines = ['public: true', 'execution_mode: raw', 'priority: 3', 'required_attendees: [A]'];
  for (const line of lines) {
    const said = (text: string) => readPlaybooks(text).diagnostics.map(({ message }) => message);
    const head = '# A\n## Main\n';
    expect(said(`${head}Does it.\n${line}\n### Steps\n- Go\n`)).toEqual([
      `got ${line} behind text: it is read as description`,
    ]);
    expect(said(`${head}${line}\nDoes it.\n\nNote: public: true\n### Steps\n- Go\n`)).toEqual([]);
  }
});

test('a parameter of many is none', () => {
  expect(readPlaybooks('# A\n## Main(x, *more)\n### Steps\n- Go\n').diagnostics).toMatchObject([
    { code: 'PV1406', message: expect.stringContaining('got the parameter *more') },
  ]);
});

test('metadata that cannot be read are said at their place, with what was wanted', () => {
  const text =
    '---\ntitle: A\n  nope\nmodel: "x" y\n---\n# A\nlimits:\n    - 1\n  - 2\n\nHi.\n## Main\nDo it.\n';
  const { diagnostics, file } = readPlaybooks(`${text}### Steps\n- Go\n`);
  expect(file.metadata).toEqual({ title: 'A nope', model: '"x" y' });
  expect(file.agents[0]?.metadata).toEqual({ limits: [1] });
  expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([
    ...['PV1401 4:8', 'PV1401 9:3'],
  ]);
});
