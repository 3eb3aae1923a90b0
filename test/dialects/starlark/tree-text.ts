/** A tree as one line per statement, for golden files: `(= x (+ 1 y))`. */
import type {
  Argument,
  Clause,
  Entry,
  Expression,
  Parameter,
  Statement,
} from '../../../src/dialects/starlark/parse/syntax.ts';

export const treeText = (body: readonly Statement[]): string => body.map(statementText).join('\n');

const bodyText = (body: readonly Statement[]): string => `{${body.map(statementText).join(' ')}}`;

function statementText(node: Statement): string {
  switch (node.kind) {
    case 'assign':
      return `(= ${text(node.target)} ${text(node.value)})`;
    case 'augmented':
      return `(${node.operator}= ${text(node.target)} ${text(node.value)})`;
    case 'def':
      return `(def ${node.name.name} ${parametersText(node.function.parameters)} ${bodyText(node.function.body)})`;
    case 'expression':
      return text(node.value);
    case 'for':
      return `(for ${text(node.target)} ${text(node.iterable)} ${bodyText(node.body)})`;
    case 'if':
      return `(if ${text(node.condition)} ${bodyText(node.body)} ${bodyText(node.orElse)})`;
    case 'load':
      return `(load "${node.module}" ${node.items.map(({ from, to }) => `${to.name}<${from}`).join(' ')})`;
    case 'return':
      return `(return${node.value ? ` ${text(node.value)}` : ''})`;
    case 'while':
      return `(while ${text(node.condition)} ${bodyText(node.body)})`;
    default:
      return node.kind;
  }
}

const parametersText = (all: readonly Parameter[]): string =>
  `[${all.map(parameterText).join(' ')}]`;

function parameterText(one: Parameter): string {
  const stars = one.kind === 'star' ? '*' : one.kind === 'starstar' ? '**' : '';
  const value = one.kind === 'optional' ? `=${text(one.value)}` : '';
  return `${stars}${one.name?.name ?? ''}${value}`;
}

function text(node: Expression | Entry | undefined): string {
  if (!node) return '_';
  switch (node.kind) {
    case 'name':
      return node.name;
    case 'literal':
      return literalText(node.value);
    case 'tuple':
    case 'list':
      return `(${[node.kind, ...node.items.map(text)].join(' ')})`;
    case 'dict':
      return `(dict${node.entries.map((entry) => ` ${text(entry)}`).join('')})`;
    case 'entry':
      return `${text(node.key)}:${text(node.value)}`;
    case 'comprehension':
      return `(each ${text(node.result)}${node.clauses.map(clauseText).join('')})`;
    case 'conditional':
      return `(? ${text(node.condition)} ${text(node.then)} ${text(node.orElse)})`;
    case 'unary':
      return `(${node.operator} ${text(node.operand)})`;
    case 'binary':
      return `(${node.operator} ${text(node.left)} ${text(node.right)})`;
    case 'chain':
      return `(chain ${text(node.first)}${node.links.map(({ operator, right }) => ` ${operator} ${text(right)}`).join('')})`;
    case 'attribute':
      return `(. ${text(node.object)} ${node.name})`;
    case 'index':
      return `(at ${text(node.object)} ${text(node.index)})`;
    case 'slice':
      return `(slice ${[node.object, node.low, node.high, node.step].map(text).join(' ')})`;
    case 'call':
      return `(${['call', text(node.callee), ...node.arguments.map(argumentText)].join(' ')})`;
    case 'lambda':
      return `(lambda ${parametersText(node.function.parameters)} ${bodyText(node.function.body)})`;
    case 'format':
      return `(f${node.parts.map((part) => ` ${typeof part === 'string' ? JSON.stringify(part) : `${text(part.value)}!${part.conversion}`}`).join('')})`;
  }
}

function literalText(value: (Expression & { kind: 'literal' })['value']): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return `${value}`;
  return value.kind === 'float' ? `${value.value}f` : `b[${value.bytes.join(' ')}]`;
}

const clauseText = (clause: Clause): string =>
  clause.kind === 'if'
    ? ` if ${text(clause.condition)}`
    : ` for ${text(clause.target)} in ${text(clause.iterable)}`;

function argumentText(one: Argument): string {
  const before = { positional: '', named: `${one.kind === 'named' ? one.name : ''}=` };
  const mark = one.kind === 'star' ? '*' : one.kind === 'starstar' ? '**' : before[one.kind];
  return `${mark}${text(one.value)}`;
}
