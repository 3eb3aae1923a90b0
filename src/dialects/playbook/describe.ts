/** The description of playbooks for whoever writes them. */
import type { Environment } from '../dialect.ts';
import { argumentLines } from '../signature.ts';

export function describePlaybooks({ inputs, tools }: Environment): string {
  const inputText =
    inputs.length === 0
      ? ''
      : `## Inputs\n\nThese are set before the program starts: ${inputs.map(shown).join(', ')}.`;
  const toolText =
    tools.size === 0
      ? ''
      : [
          '## Tools',
          ...[...tools.values()].map((spec) =>
            [`### ${spec.name}`, spec.description, ...argumentLines(spec)].join('\n'),
          ),
        ].join('\n\n');
  const sections = [form, rules, statements, inputText, toolText];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const shown = (name: string): string => `\`$${name}\``;

const form = `# Playbooks

A program is Markdown: a heading of the first level for each agent, and one of the second for each
of its playbooks. A model follows one playbook at a time; a machine keeps the variables, makes the
calls and decides what comes next.

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
- Welcome the user and ask for $days
- $price = FindPrice($days)
- If $price is more than 100
  - Tell the user about the discount
- Otherwise
  - Tell the user the $price
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
  statement an item) and \`### Notes\` (what holds throughout). Without steps it is followed as a
  whole, by its description.
- \`$name\` is a variable of the agent, which all its playbooks share; \`name\` is one of the call.
  A parameter is written the same way: \`## Book($bike, days=1)\`.
- A \`tools\` block holds functions in Starlark. Steps call functions, tools and playbooks alike.
- Under a heading may stand \`public: true\` (other agents may call it), \`hidden: true\`,
  \`execution_mode: raw\` (one completion of the description).
- \`{$name}\` in a description or in a text in quotes is filled in.`;

const statements = `## Statements

- \`$x = FreeBikes($day)\`, \`FreeBikes($day)\`, \`Get $x from FreeBikes\`, or the name of
  a playbook in words: a call.
- \`$x = 5\`, \`Set $x to 5\`: a value, or words for one.
- \`Say "Hello {$name}"\` is said as it is; \`Say goodbye to the user\` is put into words.
- \`Ask the user for $a and $b\`: asks, waits, and sets them.
- \`If …\`, \`Otherwise if …\`, \`Otherwise\`; \`While …\`, \`Until …\`, \`For each $x in $list\`.
- \`Return $x\`, \`End program\`, \`Go to step 2\`, \`Wait for the user\`, \`Think about …\`.
- Anything else is done as the words say.`;
