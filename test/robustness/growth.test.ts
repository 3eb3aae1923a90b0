/**
 * Readers of text are linear: four times the text costs at most eight times the CPU. The one test
 * that measures time. It takes the least of three runs, and judges none that is over in 20 ms.
 */
import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { nothingUsed } from '../../src/agent/run/usage.ts';
import { floatOf } from '../../src/bench/numbers.ts';
import { checkProgram, dialects } from '../../src/dialects/index.ts';
import { readPlaybooksWith } from '../../src/dialects/playbook/index.ts';
import * as playbookReader from '../../src/dialects/playbook/reader.ts';
import { gridOfJson, gridOfLines } from '../../src/effects/data/json-rows.ts';
import { gridOfMarkdown, isMarkdownTable } from '../../src/effects/data/markdown.ts';
import { exhibitsIn } from '../../src/effects/edgar/exhibits.ts';
import { plainText } from '../../src/effects/edgar/plain.ts';
import { mailboxes } from '../../src/effects/email/addresses.ts';
import { readDocument } from '../../src/effects/http/openapi/document.ts';
import { operationsOf } from '../../src/effects/http/openapi/operations.ts';
import { readListing } from '../../src/effects/mcp/listing.ts';
import { replyReader } from '../../src/effects/model/read-reply.ts';
import { parseTranscript } from '../../src/effects/model/replay.ts';
import { withoutThoughts } from '../../src/effects/model/thoughts.ts';
import { loadCsv } from '../../src/effects/retrieve/load/csv.ts';
import { loadJson } from '../../src/effects/retrieve/load/json.ts';
import { loadMarkdown, loadText } from '../../src/effects/retrieve/load/markdown.ts';
import { loadTurtle } from '../../src/effects/retrieve/load/turtle.ts';
import { descriptionOf } from '../../src/effects/web/page/article.ts';
import { boundedHtml } from '../../src/effects/web/page/bounds.ts';
import { pageParser } from '../../src/effects/web/page/dom.ts';
import { markdownOf } from '../../src/effects/web/page/markdown.ts';
import {
  evenTables,
  makeAddressesAbsolute,
  replaceFrames,
} from '../../src/effects/web/page/tidy.ts';
import { dropUnseen } from '../../src/effects/web/page/unseen.ts';
import { parseFloatText } from '../../src/machine/values/text.ts';
import { inputsIn } from '../../src/planner/compile.ts';
import { withImpliedAnswer } from '../../src/planner/implied-answer.ts';
import { planReply } from '../../src/planner/native-plan.ts';
import { dialectNamed } from '../../src/planner/planner.ts';
import { computedIn, exprOf } from '../../src/planner/playbook/reply/expr.ts';
import { operationsIn } from '../../src/planner/playbook/reply/operations.ts';
import { ReplyReader } from '../../src/planner/playbook/reply/reader.ts';
import { readAction } from '../../src/planner/tasks/action-reply.ts';
import { readJoined } from '../../src/planner/tasks/join-reply.ts';
import { isNative } from '../../src/planner/tasks/native-action.ts';
import { decimal } from '../../src/program/arithmetic/fraction.ts';
import { numberInSentence } from '../../src/program/arithmetic/number-text.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { readHelperCall } from '../../src/program/tool-names.ts';
import { readAllJson, readJson, readModelJson } from '../../src/text/json-text.ts';
import { answerOf, readObject, readVerdict } from '../../src/text/model-text.ts';
import { blanked } from '../../src/text/thoughts.ts';
import { readYaml } from '../../src/text/yaml-text.ts';
import { isPoint } from '../support/depth.ts';
import { whole } from '../support/whole-content.ts';

const documentOf = await pageParser();

const parameters = { type: 'object', properties: { query: { type: 'string' } } };
const tools: ReadonlyMap<string, ToolSpec> = new Map([
  ['search', toolSpec({ name: 'search', description: 'Searches.', parameters })],
]);
const environment = { tools, inputs: [] };

readPlaybooksWith(playbookReader);

const attempt = { signal: new AbortController().signal };
const reply = await replyReader({ kind: 'json', schema: { type: 'object' } });
const replyAny = await replyReader({ kind: 'json' });

const wholeCsv = whole(loadCsv);
const wholeJson = whole(loadJson);

const inWords = { finishReason: 'stop', usage: nothingUsed } as const;

const model = { name: 'a', complete: () => Promise.reject(new Error('it is not asked')) };

type Reader = (text: string) => unknown;

/** A client of a server that lists the tools; its answers are there at once. */
const serving = (tools: readonly unknown[]): Client =>
  ({
    getServerCapabilities: () => ({ tools: {} }),
    getServerVersion: () => ({ name: 'a', version: '1' }),
    request: () => ({ tools }),
  }) as unknown as Client;

/** Where a server may have a text of any size. */
const listings: readonly ((text: string) => readonly unknown[])[] = [
  (text) => [{ name: text, description: text, inputSchema: { description: text } }],
  (text) => [{ name: 'a', inputSchema: { properties: { a: { enum: [text], pattern: text } } } }],
  (text) => [...text.slice(0, 4096)].map((name) => ({ name, inputSchema: { type: name } })),
];

const readers: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    dialects.flatMap((dialect): [string, Reader][] => [
      [`${dialect.name}: check`, (text) => dialect.check(text, environment, 1_000_000)],
      [`${dialect.name}: detect`, (text) => dialect.detect(text)],
      [`${dialect.name}: find`, (text) => dialect.find(text)],
    ]),
  ),
  'a program without a dialect': (text) => checkProgram(text, environment, { file: 'a.txt' }),
  'an answer': answerOf,
  'a verdict': readVerdict,
  'an object': (text) => readObject(text, ['outcome', 'reason']),
  JSON: readJson,
  'JSON of a model': (text) => readModelJson(text),
  'all JSON of a model': (text) => readAllJson(text),
  YAML: (text) => readYaml(text.split('\n')),
  'a reply in JSON': (text) => reply(text, attempt),
  'a reply of any form': (text) => replyAny(text, attempt),
  thoughts: (text) => attempted(() => withoutThoughts(text, model)),
  'answers beside thoughts': blanked,
  'an action': (text) => readAction(text, environment),
  'a joiner': readJoined,
  'a reply at a playbook': readTurn,
  'a transcript': (text) => attempted(() => parseTranscript(text, 'a.ndjson')),
  OpenAPI: (text) =>
    attempted(() => {
      const document = readDocument(text, 'a.yaml', { folders: [] });
      operationsOf(document, { name: 'a' });
    }),
  'a listing of MCP': (text) =>
    Promise.all(listings.map((toolsOf) => readListing(serving(toolsOf(text))))),
  'a table of CSV': (text) => attempted(() => wholeCsv(text)),
  'knowledge of JSON': (text) => attempted(() => wholeJson(text)),
  'knowledge of Markdown': loadMarkdown,
  'knowledge of text': loadText,
  'knowledge of Turtle': (text) => attempted(() => loadTurtle(text, 'http://a/')),
  'a table of Markdown': (text) =>
    attempted(() => isMarkdownTable(text) && gridOfMarkdown(text, 'a')),
  'rows of JSON': (text) => attempted(() => gridOfJson(text, undefined, 'a')),
  'rows of lines': (text) => attempted(() => gridOfLines(text, 'a')),
  'a page': readPage,
  'a filing': (text) => [plainText(documentOf(boundedHtml(text).html).body), exhibitsIn(text)],
  'a number': (text) => [floatOf(text), parseFloatText(text), decimal(text)],
  'a number in a sentence': numberInSentence,
  'a call of a helper': readHelperCall,
  'a reply with calls': (text) => isNative({ ...inWords, native: true, text }),
  'a plan by a schema': (text) =>
    planReply(JSON.stringify({ tools: text }), dialectNamed('stackvm-1')),
  'a program without an answer': withImpliedAnswer,
  'inputs of a program': inputsIn,
  'addresses of a mail': (text) => attempted(() => mailboxes('to', text)),
};

/** As it arrives, in small pieces. */
function readTurn(text: string): unknown {
  const reader = new ReplyReader();
  const items = (text.match(/[\s\S]{1,8}/g) ?? []).flatMap((piece) => reader.feed(piece));
  const data = [...items, ...reader.end()].map((item) => (item.is === 'object' ? item.data : item));
  return [text, ...data].map((one) => [
    operationsIn(one),
    exprOf(one, () => true),
    computedIn(one),
  ]);
}

function readPage(text: string): unknown {
  const { html } = boundedHtml(text);
  const document = documentOf(html);
  dropUnseen(document);
  makeAddressesAbsolute(document, 'https://example.org/');
  replaceFrames(document, 'https://example.org/');
  evenTables(document);
  descriptionOf(document);
  return markdownOf(document.body);
}

function attempted(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

/** What most readers have loops for; these are also repeated after each of `openings`. */
const common = [
  ...[' ', '\n', '\r\n', '\r', '[', '(', '"', '# ', '**', '_', '1', 'a ', 'a\n', '- ', ', '],
];
const fragments = [
  ...[
    ...common,
    '{',
    'a(',
    "'",
    '"""',
    '`',
    '```\n',
    '\\',
    'if a then ',
    '#',
    '# a\n',
    '*',
    '=',
    '/',
  ],
  ...[
    'Thought: a\n',
    '[{"a":',
    'foreach(',
    '> ',
    '|a',
    '\t',
    'a,',
    '<a>',
    '</a>',
    '<think>',
    '</think>\n',
    '```\n</think>\n',
  ],
  ...[
    '{"a":',
    '{"a":"',
    '{$a[',
    '$a.b',
    '1. a(',
    '{{a}} ',
    '$1 ',
    'a: ',
    '1,',
    'not ',
    'x = 1\n',
    'Finish(',
    '"a", ',
    ': ',
    ...['; ', ';a\n', '# a\r\n', '```a\n', '<style>/*', '-a', '</think>'],
  ],
];

/** What a text may begin with, so that what comes after it is read by another part. */
const openings = [
  ...['```python\n', '[{"type": "', '## a\n', 'Thought: a\nAction: Finish("', 'x = """'],
  ...['{"say":"', '{"a":', '1. search("', '<p>', '---\n', '| ', '# a '],
];

type Text = readonly [opening: string, fragment: string, end: string];

const textsOf = (openings: readonly string[], fragments: readonly string[], end = 'a'): Text[] =>
  openings.flatMap((opening) => fragments.map((fragment): Text => [opening, fragment, end]));

/** For `.` the text ends before a line separator; `$` still stands behind it. */
const separated = 'a\u2028a';

const beginnings = [
  ...textsOf([''], fragments),
  ...textsOf([''], common, separated),
  ...textsOf(openings, common),
];

const sizes = [
  [64, 16],
  [16, 4],
].map((pair) => pair.map((kilobytes) => kilobytes * 1024)) as [number, number][];
const judgedFromMs = 20;
const certainFromMs = 400;
const growthMax = 8;

/** Of this thread alone: the collector has others, and is as busy as what ran before left it. */
async function cpuMs(read: Reader, text: string): Promise<number> {
  const before = process.threadCpuUsage();
  const result = read(text);
  if (result instanceof Promise) await result;
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

async function leastMs(read: Reader, text: string, first: number): Promise<number> {
  let ms = first;
  for (let run = 1; run <= 3; run++) ms = Math.min(ms, await cpuMs(read, text));
  return ms;
}

/** What is wrong with how a reader grows over a fragment; undefined where nothing is. */
async function growthOf(read: Reader, [opening, fragment, end]: Text): Promise<string | undefined> {
  const textOf = (size: number): string =>
    `${opening}${fragment.repeat(Math.ceil(size / fragment.length))}${end}`;
  // From the largest down: what is over in no time there needs no other.
  for (const [size, smaller] of sizes) {
    const first = await cpuMs(read, textOf(size));
    if (first <= judgedFromMs) return undefined;
    const earlier = await cpuMs(read, textOf(smaller));
    if (first <= growthMax * earlier) continue;
    let ms = first;
    let least = earlier;
    // Other work of the machine makes single runs slow, and none of them fast.
    for (let again = 0; again < 3 && ms > growthMax * least; again++) {
      ms = await leastMs(read, textOf(size), ms);
      least = await leastMs(read, textOf(smaller), Number.POSITIVE_INFINITY);
    }
    if (ms <= judgedFromMs || ms <= growthMax * least) continue;
    // The collector begins somewhere between the sizes: what really grows so does it again.
    const larger = textOf(4 * size);
    if (ms > certainFromMs || (await leastMs(read, larger, ms * growthMax * 2)) > growthMax * ms) {
      const shown = JSON.stringify([opening, fragment, end]);
      return `${shown}: ${least} ms at ${smaller}, ${ms} ms at ${size}`;
    }
  }
  return undefined;
}

/** The same code as another, or slow: these are read without openings, or with few fragments. */
const alike = /^(?:stackvm-2|all JSON|JSON of|an object|a reply|a table of CSV)/;
const slow = [
  ...['[', '{', 'a: ', '- ', 'a\n', ' ', '"', "'", '(', ', ', '#', '**'],
  ...['```\n', 'if a then ', 'Thought: a\n', '[{"a":'],
];

/** Where playbooks have lines, triggers, code, parameters and metadata. */
const inPlaybooks = textsOf(
  [
    ...['# A\n## B\n### Steps\n- ', '# A\n## B\n### Steps\n- $x = ', '# A\n## B\n### Triggers\n- '],
    ...['# A\n```tools\n', '# A\n## B($x', '# A\n## B\n', '# A\nmetadata:\n', '# A\n## B -> '],
  ],
  [
    ...common,
    ...['- $x = F(1)\n', '- If $x:\n  - Break\n', '  - a\n', '$x, ', '{$x}', '"{', "'", '\\"'],
    ...['@playbook(', 'def F(a: b):\n', 'remote:\n', '<!-- ', ' and ', '5 minutes ', '9:00 ', ': '],
    ...['\n\n## B\n', '\n```\n', '`', 'F(', '- F($x)\n- $x = 1\n', '- a = b\n', '->'],
  ],
);

/** What only some readers have parts for. */
const particular: readonly (readonly [reader: RegExp, texts: readonly Text[]])[] = [
  [/^playbook: check/, inPlaybooks],
  [/^playbook: check/, textsOf(['# A\n## B($x', '# A\n## B\n- ', '# A\n## '], common, 'a)\ra')],
  [/^playbook: (?:detect|find)/, textsOf(['# A\n## B\n'], ['```md\na\n', '~~~\na\n', '\r'])],
  [
    /^(?:llmcompiler|react|an action|a joiner)/,
    [
      ...textsOf(['Action', 'Action: ', '1.', '1. a(f"{$1', '1. a("a" + str('], common, 'a)")!'),
      // A line is looked at in full where it is short.
      ...textsOf(
        [''],
        ['1.', 'Action: ', '$1 = '].map((head) => `${head}${'_'.repeat(200)}!(\n`),
      ),
    ],
  ],
  [/^starlark/, textsOf(['import a', 'with a', 'x'], [...common, ', a', '.a'])],
  [/^a program without/, textsOf(['print("""a'], [...common, '\n# a\n'], 'a""")\n')],
  [/^inputs/, textsOf(['# input: a = 1'], common)],
  [/^stackvm/, textsOf(['[{"type": "assign", "parameters": {"a": "${', '{{'], common, 'a}}"}}]')],
  [
    /^stack: check/,
    textsOf(['foreach(stack(), function_call(a.b()), on_error="'], common, 'a")\n'),
  ],
  [/^YAML/, textsOf(['a: [', 'a: "a', 'a'], [...common, '" '], 'a"]: a')],
  [/^a (?:page|filing)/, textsOf(['', '<p style="opacity:', '<td>'], ['<tr', '<html', '0', ' '])],
  [/^a plan by/, textsOf(['a'], common)],
  [/^a call/, textsOf(['a()', 'a(b', 'a'], common, 'a)')],
];

function textsFor(name: string): readonly Text[] {
  const own = particular.flatMap(([reader, texts]) => (reader.test(name) ? texts : []));
  if (name === 'OpenAPI')
    return beginnings.filter((text) => text[0] === '' && slow.includes(text[1]));
  const all = alike.test(name) ? beginnings.filter(([opening]) => opening === '') : beginnings;
  return [...own, ...all];
}

test.each(Object.entries(readers))('%s grows with its text', async (name, read) => {
  const found: string[] = [];
  // Each reader sees a twenty-fourth of the texts, or all.
  for (const [index, text] of textsFor(name).entries()) {
    if (!isPoint(index, 24)) continue;
    const growth = await growthOf(read, text);
    if (growth !== undefined) found.push(growth);
  }
  expect(found).toEqual([]);
});
