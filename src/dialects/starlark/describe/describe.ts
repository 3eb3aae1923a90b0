/** The description of the language for whoever writes programs in it, made from its tables. */
import type { ToolSpec } from '../../../program/effect.ts';
import { isName } from '../../../program/name.ts';
import type { Environment } from '../../dialect.ts';
import { exampleArguments } from '../../example-arguments.ts';
import { signatureOf, toolLines } from '../../signature.ts';
import { isModelCall, modelCalls } from '../compile/model-calls.ts';
import { reserved } from '../parse/hints.ts';
import { type Options, plan } from '../parse/options.ts';
import { words } from '../parse/token.ts';
import { callable } from '../resolve/tool-names.ts';
import { constants } from '../resolve/universe.ts';
import { functionRows, type LibraryRow, moduleRows, nameOf } from './library.ts';
import { optionRows } from './option-rows.ts';

export function describeLanguage(environment: Environment): string {
  const sections = [
    form,
    `## Rules\n\n${ruleLines(environment).join('\n')}`,
    `## Calls run side by side\n\n${parallelism}`,
    `## Functions beside those of Python\n\n${functionLines(environment).join('\n')}`,
    `## Example\n\n${example}`,
    toolSection(environment),
    inputSection(environment),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const form = [
  '# Programs in Starlark',
  'Starlark is a small Python. Tools are functions: call them with parameters by name. ' +
    'Statements run from the first line to the last, and `answer(x)` gives the answer.',
].join('\n\n');

function ruleLines({ tools }: Environment): string[] {
  const extras = (Object.keys(plan) as (keyof Options)[]).filter((name) => plan[name]);
  const also = extras.map((name) => optionRows[name].about).join(', ');
  return [
    '- Every way through the program calls `answer(x)`, with the result itself: a text, a ' +
      'number, a list or a dict.',
    `- Beside functions, \`if\`, \`for\` and comprehensions there are: ${also}.`,
    '- A dict is read as `d["key"]`, never as `d.key`. A string has no elements to loop over: ' +
      '`s.elems()` has. `+` joins texts only: write an f-string or `str(n)`.',
    '- A function may not change a global variable: pass values in, and return them.',
    '- A tool returns data. A tool that fails ends the run, but not in `try_call`.',
    '- Give each result a name of its own, one call a statement, with a comment above that says ' +
      'what it is for: a program that fails goes on from the statement that failed.',
    ...(tools.has('llm_generate')
      ? ['- A model sees its prompt and its context only: put the data it needs into them.']
      : []),
    '- Give a tool each parameter that it requires, of the type that is shown, and no others. ' +
      'Use no other tools.',
  ];
}

const parallelism =
  'A call of a tool does not wait: the program waits where it needs the result, for a ' +
  'condition, a comparison, a loop over it or its length. Building texts, indexing and passing ' +
  'a result on do not wait. So independent calls run at the same time: make them before you ' +
  'look at a result, as in `[tool(x = x) for x in xs]`. Where each element needs a second call ' +
  'after its first, put both in a function for `parallel(f, xs)`. A read that has to come after ' +
  'another one waits for its result: `if not status: fail("no status")`. Calls that change the ' +
  'world, `print` and `answer` take effect in the order of the program.';

/** What differs from Python in full, the rest by name: a model knows Python. */
function functionLines({ tools }: Environment): string[] {
  const asking = Object.entries(modelCalls).filter(([name]) => isModelCall(name, tools.get(name)));
  const rows: readonly LibraryRow[] = [...functionRows, ...asking.map(([, { row }]) => row)];
  const whole = rows.filter(({ told }) => told === undefined);
  const python = rows.filter(({ told }) => told === 'name').map(nameOf);
  const rare = rows.filter(({ told }) => told === 'signature');
  const modules = Object.keys(moduleRows).map((name) => `\`${name}\``);
  return [
    ...whole.map(({ signature, about }) => `- \`${signature}\`: ${about}`),
    `- As in Python: ${[...constants.keys(), ...python].join(', ')}; ` +
      'the methods of its strings, lists, dicts and sets; ' +
      `without import ${modules.join(' (encode, decode) and ')}.`,
    `- Rarely needed: ${rare.map(({ signature }) => `\`${signature}\``).join(', ')}.`,
    `- Not there: ${absentWords.map((word) => `\`${word}\``).join(', ')}; sets in braces; ` +
      'methods that sort, reverse or copy a list: `sorted(xs, key = f)`, `list(xs)`. ' +
      'A comprehension stands in brackets: `sum([x for x in xs])`.',
  ];
}

/** What programs in Python use often. The check says of each word what to write instead. */
const absentWords: readonly string[] = [
  ...Object.keys(reserved),
  ...['assert', 'isinstance', 'map', 'filter', 're', 'time', 'open', '__name__'],
];

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
  const lines = others.flatMap(([name, spec]) =>
    toolLines(signatureOf(spec, name), spec, exampleCall(name, spec)),
  );
  return lines.length === 0 ? '' : `## Tools\n\n${lines.join('\n')}`;
}

/** With its result under a name, as every result of a program has one. */
function exampleCall(name: string, spec: ToolSpec): string | undefined {
  const found = exampleArguments(spec);
  if (!found) return undefined;
  const [plain, odd] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const [key, value] of found) {
    (isName(key) && !words.has(key) ? plain : odd).set(key, value);
  }
  const all = [...plain].map(([key, value]) => `${key} = ${literal(value)}`);
  // A name that is none of the language goes by its text.
  if (odd.size > 0) all.push(`**${literal(Object.fromEntries(odd))}`);
  return `result = ${name}(${all.join(', ')})`;
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

function inputSection({ inputs }: Environment): string {
  if (inputs.length === 0) return '';
  const names = inputs.map((name) => `\`${name}\``);
  return `## Inputs\n\nThese variables are set before the first line: ${names.join(', ')}.`;
}
