/** The description of programs on a stack for whoever writes them, made from their forms. */
import type { ToolSpec } from '../../program/effect.ts';
import type { Environment } from '../dialect.ts';
import { writtenExample } from '../example-arguments.ts';
import { signatureOf, toolLines } from '../signature.ts';
import { callable } from '../starlark/resolve/tool-names.ts';
import { forms } from './forms.ts';
import { ownTools } from './tools.ts';

export function describeStack(environment: Environment): string {
  const sections = [
    intro,
    `## Grammar\n\n\`\`\`\n${grammar}\n\`\`\``,
    `## Statements\n\n${statements.join('\n')}`,
    `## Rules\n\n${rules.join('\n')}`,
    `## Example\n\n${example}`,
    inputSection(environment),
    programSection(environment),
    helperSection(environment),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const intro = `# Programs on a stack

A program is a list of statements, one to a line, executed from the first to the last. There is one
stack, empty at first. A statement takes what it needs from the stack and pushes what it finds. What
does not need each other runs at the same time by itself.`;

/** As it is read, and as documents show it. */
const grammar = `program     = { statement }
statement   = llm_call | foreach | function_call | data | answer | set | get | use | give_up
llm_call    = "llm_call" "(" [ value "," ] text ")"
foreach     = "foreach" "(" value "," statement [ "," on_error ] ")"
on_error    = "on_error" "=" ( text | statement )
function_call = "function_call" "(" helper "(" [ argument { "," argument } ] ")" ")"
argument    = [ name "=" ] value
data        = ( "data" | "dataframe" ) "(" value ")"
answer      = "answer" "(" value ")"
set         = "set" "(" text [ "," text ] ")"
get         = "get" "(" text ")"
use         = "use" "(" text ")"
give_up     = "uncertain_or_error" "(" [ value ] ")"
value       = stack | stack_pop | text | number | true | false | null | list | object
            | llm_call | foreach | function_call | data | get | use
stack       = "stack" "(" ")"
stack_pop   = "stack_pop" "(" number ")"
list        = "[" [ value { "," value } ] "]"
object      = "{" [ text ":" value { "," text ":" value } ] "}"
text        = '"' characters with \\" for a quote '"'`;

const statements: readonly string[] = [
  `- \`${forms.function_call}\` calls a helper and pushes its result.`,
  `- \`${forms.llm_call}\` asks a model to do something with the values that are taken, and ` +
    'pushes its text. The model sees these values, where each came from, and the instruction: ' +
    'nothing else.',
  `- \`${forms.data}\` pushes a list.`,
  `- \`${forms.foreach}\` executes the statement for each element, and pushes the results in the ` +
    'order of the elements, each as a value of its own: `stack()` takes them all, `stack_pop(1)` ' +
    'only the last one. `data(stack())` makes one list of them, for `set`. The elements are ' +
    'those of a list, or the values that are taken, or what a model finds in a text. The ' +
    'statement has a stack of its own, which holds the element: `stack_pop(1)` takes it. ' +
    '`llm_call("…")` is about it by itself.',
  '- Where the statement of `foreach` may fail for some elements, a third argument says what ' +
    'then: `on_error="skip"` passes the element over, `"retry 2"` does it again, ' +
    '`"retry, skip"` both, and a statement, `on_error=llm_call("…")`, stands in for that element.',
  '- In `foreach`, what a helper is not given is found in the element: leave it out, or write ' +
    'the name of the parameter in its place. What the element does not say a person is asked.',
  '- `stack_pop(n)` takes the n newest values off the stack, `stack()` takes all of them. Both ' +
    'give them oldest first, in the order in which they were pushed.',
  `- \`${forms.set}\` takes the newest value off the stack and keeps it under the name; ` +
    '`set("name", "what it is")` says what it is. `get("name")` pushes it again, any number of ' +
    'times.',
  `- \`${forms.answer}\` shows a value to the user as an answer. It pushes nothing. ` +
    '`answer(stack())` answers with the list of all values, `answer("…")` with a text.',
  `- \`${forms.use}\` executes another program, a file beside this one or a saved one, on a ` +
    'stack of its own, and pushes its answers. Write it only where you are told of such a program.',
  `- \`${forms.uncertain_or_error}\` ends the program where it cannot go on, and says why.`,
];

const rules: readonly string[] = [
  '- A value that is taken is gone from the stack. Keep with `set` what is needed twice.',
  '- Text stands in double quotes. A quote inside of it is written `\\"`.',
  '- Comments begin with `#`. There are no variables but those of `set`, no arithmetic, no `if`.',
  '- Call no helpers but those below, with each parameter that is required.',
  '- Every program answers.',
];

const example = `\`\`\`text
# With a helper Pages.read(url), which this example only assumes.
function_call(Pages.read("https://example.org/tides"))
llm_call(stack_pop(1), "Say in two sentences what causes the tides.")
set("cause", "What causes the tides")
function_call(Pages.read("https://example.org/ports"))
llm_call(stack_pop(1), "List the names of the ports.")
foreach(stack_pop(1), llm_call("Say in one sentence where this port is."))
get("cause")
llm_call(stack(), "Write a short text for travellers out of all of this.")
answer(stack_pop(1))
\`\`\``;

function inputSection({ inputs }: Environment): string {
  if (inputs.length === 0) return '';
  const names = inputs.map((name) => `\`get("${name}")\``).join(', ');
  return `## Inputs\n\nThese values are there before the first statement: ${names}.`;
}

function programSection({ programs = [] }: Environment): string {
  if (programs.length === 0) return '';
  const intro =
    'These are there to be used as they are. What such a program answers is for its own goal: ' +
    'use one only where that is a part of what is asked.';
  const lines = programs.map(({ name, about }) => `- \`use("${name}")\`: ${about}`);
  return `## Saved programs\n\n${intro}\n\n${lines.join('\n')}`;
}

function helperSection({ tools }: Environment): string {
  const helpers = [...callable(tools)].filter(([, { name }]) => !ownTools.has(name));
  if (helpers.length === 0) return '';
  const lines = helpers.flatMap(([name, spec]) =>
    toolLines(signatureOf(spec, name), spec, exampleCall(name, spec)),
  );
  return `## Helpers\n\n${lines.join('\n')}`;
}

function exampleCall(name: string, spec: ToolSpec): string | undefined {
  const written = writtenExample(spec, (value) => JSON.stringify(value));
  return written === undefined ? undefined : `function_call(${name}(${written}))`;
}
