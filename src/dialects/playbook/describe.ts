/** The description of playbooks for whoever writes them. */
import type { Environment } from '../dialect.ts';
import { argumentLines, togetherLines } from '../signature.ts';

export function describePlaybooks({ inputs, tools }: Environment): string {
  const names = inputs.map((name) => `\`$${name}\``).join(', ');
  const specs = [...tools.values()].map((spec) =>
    [
      ...[`### ${spec.name}`, [spec.description, ...togetherLines(spec)].join(' ')],
      ...argumentLines(spec),
    ].join('\n'),
  );
  const sections = [
    ...[form, rules, statements],
    ...(names === '' ? [] : [`## Inputs\n\nThese are set before the program starts: ${names}.`]),
    ...(specs.length === 0 ? [] : ['## Tools', ...specs]),
  ];
  return `${sections.join('\n\n')}\n`;
}

const form = `# Playbooks

A program is Markdown: a heading of the first level for each agent, and one of the second for each
of its playbooks. Lines that are forms are done by a machine; all other lines are *open*, and a
model does them as their words say.

\`\`\`\`markdown
# Bike desk
You rent bikes in a small harbour. Be brief.

\`\`\`tools
def total(days, price):
    return days * price
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $days
- $price = FindPrice($days)
- If $price > 100
  - Tell the user about the discount
- Otherwise
  - Say("That is {$price} euros.")
- End program
### Notes
- Never promise a bike that is not there

## FindPrice($days)
### Steps
- $price = total($days, 20)
- Return $price
\`\`\`\``;

const rules = `## Rules

- A playbook has \`### Triggers\` (when it starts by itself), \`### Steps\` (a nested list, one
  statement an item) and \`### Notes\` (what holds throughout). Without steps a model follows it as
  a whole, by its description.
- \`$name\` is a variable of the agent, which all its playbooks share; \`name\`, and a parameter, is
  one of the call: \`## Book($bike, days=1)\`.
- A \`tools\` block holds functions in Starlark. Lines call functions, tools and playbooks alike.
- Under a heading may stand \`public: true\` (other agents may call it), \`hidden: true\`,
  \`execution_mode: raw\` (one completion of the description).
- Triggers: \`At the beginning\`, \`When $x > 15\`, \`When the event paid arrives\`, \`Every day at
  9:00\`, or any condition in words.`;

const statements = `## Forms

\`E\` is an expression in Starlark over \`$variables\`, numbers, texts in quotes and calls. The
whole line has to be the form: with one more word it is open. \`{$name}\` in a text is filled in.

| form | written |
|---|---|
| set | \`$x = E\`, \`$x: int = E\`, \`$x += E\`; \`$x = some words\` is open |
| call | \`F(E)\`, \`$x = F(E)\`, or the title of a playbook alone |
| say | \`Say("Hello {$name}")\`, \`Say(Ann, "…")\`; a question waits for the reply |
| ask | \`Ask user for $a and $b\`, \`$a = Ask(user, "Which day?")\` |
| if | \`If E\`, \`Else if E\`, \`Otherwise\` over a block; \`If E: FORM\` |
| loop | \`While E\`, \`Until E\`, \`Repeat E times\`, \`For each $x in E\`; \`(up to N times)\` |
| leave | \`Return E\`, \`Break\`, \`Continue\`, \`Go to step 2\`, \`End program\` |
| wait | \`Wait for user\`, \`Wait 5 minutes\`, \`Wait until 9:00\`, \`Wait for event paid\` |

Conditions and loops may also be in words: \`If the guest is angry\`. Then a model decides.`;
