/** Lines of playbooks, compiled in a file that has all that they may name. */
import { compilePlaybooks } from '../../../src/dialects/playbook/compile/compile.ts';
import type {
  CompiledFile,
  CompiledPlaybook,
  Does,
  Expression,
  Line,
  Template,
  Variable,
} from '../../../src/dialects/playbook/compiled.ts';
import { readPlaybooks } from '../../../src/dialects/playbook/source/read.ts';
import { toolSpec } from '../../../src/program/effect.ts';

export const tools = [
  toolSpec({
    ...{ name: 'find_bikes', description: 'Finds bikes.', aliases: ['bikes.find'] },
    parameters: {
      type: 'object',
      properties: { day: { type: 'string' }, most: { type: 'integer' } },
      required: ['day'],
    },
  }),
];

export const compiled = (text: string): CompiledFile =>
  compilePlaybooks(readPlaybooks(text).file, tools);

/** A desk that has the lines as the steps of its first playbook. */
export const desk = (steps: string): string => `# Desk
\`\`\`tools
def Price(kind, days = 1):
    return state["rate"] * days
def A(num = 1):
    return num
\`\`\`
## Main(guest)
### Steps
${steps}
### Notes
- Be brief
## Book a bike($bike, days = 1)
public: true
### Steps
- Return $bike
## Offer the bikes
### Steps
- Return
# Ann:Human
# Tax office
## Rate(income)
public: true
### Steps
- Return 5
## Secret
### Steps
- Return 5
`;

export const mainOf = (text: string): CompiledPlaybook => {
  const main = compiled(text).agents[0]?.playbooks[0];
  if (!main) throw new Error('there is no playbook');
  return main;
};

export const linesOf = (steps: string): readonly Line[] => mainOf(desk(steps)).lines;

export const lineOf = (steps: string): Line => {
  const [line] = linesOf(steps);
  if (!line) throw new Error('there is no line');
  return line;
};

/** What a line does, in short: `$x = Price(bike_)`, `open: the kitchen is nobody in this file`. */
export function shown({ does, children }: Line): string {
  const inner = children.length > 0 ? ` { ${children.map(shown).join('; ')} }` : '';
  return `${shownDoes(does)}${inner}`;
}

const variable = ({ name, scope }: Variable): string => (scope === 'state' ? `$${name}` : name);
const code = (expression: Expression | undefined): string => expression?.code ?? 'in words';
const template = (text: Template): string =>
  text.map((part) => (typeof part === 'string' ? part : `{${part.code}}`)).join('');

function shownDoes(does: Does): string {
  switch (does.is) {
    case 'open':
      return does.likely === undefined ? 'open' : `open: ${does.likely}`;
    case 'set':
      return `${variable(does.to)}${does.type ? `: ${does.type}` : ''} = ${code(does.value)}`;
    case 'call': {
      const args = Object.entries(does.args).map(([name, value]) => `${name}: ${value.code}`);
      const into = does.into ? `${variable(does.into)} = ` : '';
      return `${into}${does.callee.kind} ${does.callee.name}(${args.join(', ')})`;
    }
    case 'say':
      return `say ${does.to.name ?? does.to.kind}: ${template(does.text)}${does.waits ? ' (waits)' : ''}`;
    case 'ask': {
      const wants = does.wants.map((one) => `${variable(one)}${one.type ? `: ${one.type}` : ''}`);
      const text = does.text ? `: ${template(does.text)}` : '';
      return `ask ${does.to.name ?? does.to.kind} ${wants.join(', ')}${text}`;
    }
    case 'test': {
      const most = does.most === undefined ? '' : ` (${does.most})`;
      return does.kind === 'else' ? 'else' : `${does.kind} ${code(does.test)}${most}`;
    }
    case 'each': {
      const most = does.most === undefined ? '' : ` (${does.most})`;
      return `each ${does.item ? `${variable(does.item)} in ` : ''}${code(does.of)}${most}`;
    }
    case 'return':
      return `return${does.inWords ? ' in words' : does.value ? ` ${does.value.code}` : ''}`;
    case 'go':
      return `go ${does.to}`;
    case 'wait':
      return `wait ${Object.values(does.wait).join(' ')}${does.most ? ` (${does.most})` : ''}`;
    case 'note':
      return `note${does.note ? ` ${does.note}` : ''}`;
    case 'end':
      return 'end';
  }
}
