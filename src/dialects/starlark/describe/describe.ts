/** The description of the language for whoever writes programs in it, made from its tables. */
import { mandatory, type ToolSpec } from '../../../program/effect.ts';
import { limitDefaults } from '../../../program/limit-defaults.ts';
import { isName } from '../../../program/name.ts';
import type { Environment } from '../../dialect.ts';
import { exampleArguments } from '../../example-arguments.ts';
import { typeOf } from '../../signature.ts';
import { aboutLines, argumentLines, togetherLines } from '../../tool-description.ts';
import { isModelCall, modelCalls } from '../compile/model-calls.ts';
import { foreign, reserved } from '../parse/hints.ts';
import { type Options, plan } from '../parse/options.ts';
import { words } from '../parse/token.ts';
import { foreignNames } from '../resolve/foreign-names.ts';
import { callable } from '../resolve/tool-names.ts';
import { functionRows, methodRows, moduleRows } from './library.ts';
import { optionRows } from './option-rows.ts';

export function describeLanguage(environment: Environment): string {
  const sections = [
    form,
    `## Rules\n\n${ruleLines(environment).join('\n')}`,
    `## At the same time\n\n${parallelism}`,
    `## Built-in functions\n\n${functionLines(environment).join('\n')}`,
    `## Methods and modules\n\n${memberLines().join('\n')}`,
    `## What is not there, and what to write instead\n\n${absentLines()}`,
    `## Example\n\n${example}`,
    toolSection(environment),
    inputSection(environment),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const form = [
  '# Programs in Starlark',
  'Starlark is a small Python: functions, if, for, lists, dicts, strings, comprehensions, as in ' +
    'Python. Tools are functions: call them with parameters by name. The program runs from its ' +
    'first line to its last, and says what came of it by `answer(x)`.',
].join('\n\n');

function ruleLines({ tools }: Environment): string[] {
  const extras = (Object.keys(plan) as (keyof Options)[]).filter((name) => plan[name]);
  const also = extras.map((name) => optionRows[name].about).join(', ');
  return [
    '- Every way through the program calls `answer(x)`, with the result itself: a text, a ' +
      'number, a list or a dict. Without such a call the variable `answer` or `result` is it.',
    `- These are there: ${also}.`,
    '- A dict is read as `d["key"]`, never as `d.key`. A string has no elements to loop over: ' +
      '`s.elems()` has.',
    '- Numbers and text are joined only by `str(n)`, an f-string, `%` or `format`.',
    '- What a tool returns is data: text, numbers, lists, dicts. A tool that fails ' +
      'ends the run; called by `try_call` it does not.',
    '- A function may not change a global variable: pass values in, and return them.',
    `- Calls of functions nest at most ${limitDefaults.callDepth} deep.`,
    '- A comment above a statement says what it is for, and is shown when the program runs.',
    '- Give each result a name of its own, one call a statement: a program that fails goes on ' +
      'from the statement that failed, with the names that are there.',
    ...(tools.has('llm_generate')
      ? ['- A model sees its prompt and its context only: put the data it needs into them.']
      : []),
    '- Give a tool each parameter that it requires, of the type that is shown, and no others. ' +
      'Use no other tools.',
  ];
}

const parallelism =
  'A call of a tool does not wait: the program goes on until it needs the result, for a ' +
  'condition, a comparison, a loop over it or its length; building texts, indexing and passing a ' +
  'result on need none. So independent calls run at the same time by themselves: make them ' +
  'before you look at a result, as in `[tool(x) for x in xs]`, and where the next call for each ' +
  'element hangs on what the last one gave, put both in a function for `parallel(f, xs)`. Calls ' +
  'that change the world, `print` and `answer` take effect in the order of the program.';

function functionLines({ tools }: Environment): string[] {
  const asking = Object.entries(modelCalls).filter(([name]) => isModelCall(name, tools.get(name)));
  const told = functionRows.filter(({ loop }) => !loop);
  return [...told, ...asking.map(([, { row }]) => row)].map(
    ({ signature, about }) => `- \`${signature}\`: ${about}`,
  );
}

function memberLines(): string[] {
  const methods = Object.entries(methodRows).map(
    ([type, rows]) => `- ${type}: ${rows.map(({ signature }) => `\`${signature}\``).join(', ')}`,
  );
  const modules = Object.entries(moduleRows).map(
    ([name, rows]) =>
      `- module \`${name}\`, there without import: ` +
      rows.map(({ signature }) => `\`${name}.${signature}\``).join(', '),
  );
  return [...methods, ...modules];
}

/** Words that only languages far from Python have: models that are told "Python" need no word. */
const farWords: ReadonlySet<string> = new Set([
  ...['const', 'let', 'var', 'function', 'null', 'nil', 'undefined', 'none', 'true', 'false'],
  ...['console', 'JSON', 'Math', 'object', 'Error'],
]);

const absentLines = (): string => describeAbsent((word) => !farWords.has(word)).join('\n');

/** Words of other languages by what is said of them: the hints of check, read beforehand. */
export function describeAbsent(isWanted: (word: string) => boolean = () => true): string[] {
  const words = [
    ...Object.entries(reserved),
    ...Object.entries(foreign).filter(([word]) => word !== 'f' && word !== 'print'),
    ...[...foreignNames].filter(([word]) => !Object.hasOwn(foreign, word)),
  ].filter(([word]) => isWanted(word));
  const byHint = Map.groupBy(words, ([, hint]) => hint);
  return [...byHint].map(
    ([hint, all]) => `- ${all.map(([word]) => `\`${word}\``).join(', ')}: ${hint}`,
  );
}

const example = `\`\`\`starlark
# With a tool weather(city), which this example only assumes.
cities = ["Oslo", "Rome", "Bern"]
reports = {city: weather(city = city) for city in cities}  # three calls at the same time

def degrees(city):
    return reports[city]["temperature"]

warm = [city for city in cities if degrees(city) >= 20]  # waits for the results
if len(warm) == 0:
    answer("It is cold everywhere.")
else:
    best = max(warm, key = degrees)
    answer(f"Go to {best}: {degrees(best)} degrees.")
\`\`\``;

function toolSection({ tools }: Environment): string {
  const others = [...callable(tools)].filter(([name, spec]) => !isModelCall(name, spec));
  return others.length === 0 ? '' : `## Tools\n\n${others.map(toolText).join('\n\n')}`;
}

function toolText([name, spec]: readonly [string, ToolSpec]): string {
  return [
    `### ${signature(name, spec)}: ${spec.effect}`,
    ...aboutLines(spec),
    ...togetherLines(spec),
    ...argumentLines(spec),
    ...exampleLines(name, spec),
  ].join('\n');
}

/** With its result under a name, as every result of a program has one. */
function exampleLines(name: string, spec: ToolSpec): string[] {
  const found = exampleArguments(spec);
  if (!found) return [];
  const [plain, odd] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const [key, value] of found) {
    (isName(key) && !words.has(key) ? plain : odd).set(key, value);
  }
  const all = [...plain].map(([key, value]) => `${key} = ${literal(value)}`);
  // A name that is none of the language goes by its text.
  if (odd.size > 0) all.push(`**${literal(Object.fromEntries(odd))}`);
  return [`Example: \`result = ${name}(${all.join(', ')})\``];
}

/** JSON data as the language writes it. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${literal(one)}`,
  );
  return `{${entries.join(', ')}}`;
}

/** `search(query: string, top_k: integer = 3)`; what may be left out has a default. */
function signature(name: string, spec: ToolSpec): string {
  const required = mandatory(spec);
  const parameters = Object.entries(spec.parameters.properties ?? {}).map(([key, schema]) => {
    const type = typeOf(schema);
    const words = type === 'any' ? key : `${key}: ${type}`;
    if (required.includes(key)) return words;
    return `${words} = ${schema.default === undefined ? '…' : JSON.stringify(schema.default)}`;
  });
  return `${name}(${parameters.join(', ')})`;
}

function inputSection({ inputs }: Environment): string {
  if (inputs.length === 0) return '';
  const names = inputs.map((name) => `\`${name}\``);
  return `## Inputs\n\nThese variables are set before the first line: ${names.join(', ')}.`;
}
