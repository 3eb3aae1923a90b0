/** Expressions on numbers, such as `$1 * 2`, read by the parser of Starlark. */
import {
  callTree,
  negationTree,
  numberFunctions,
  numberOperators,
  operationTree,
} from '../../program/task.ts';
import type { Tuple, Value } from '../../program/value.ts';
import { plan } from '../starlark/parse/options.ts';
import { parse } from '../starlark/parse/parser.ts';
import type { Call, Expression } from '../starlark/parse/syntax.ts';
import type { Piece, Reference } from './reference.ts';

export type ReadNumber =
  | { readonly tree: Value }
  /** Why it is no expression on numbers. */
  | { readonly problem: string };

/** Signs that people write for operators. */
const signs: Readonly<Record<string, string>> = {
  '×': '*',
  '·': '*',
  '÷': '/',
  '−': '-',
  ':': '/',
};

/** A name in place of each reference: no expression on numbers has names of its own. */
const nameOf = (index: number): string => `result_${index}`;

/** Reads an expression; `node` gives what stands for a reference. */
export function readNumber(
  pieces: readonly Piece[],
  node: (reference: Reference) => Tuple,
): ReadNumber {
  const nodes = new Map<string, Tuple>();
  const text = pieces.map((piece) => {
    if (typeof piece === 'string') return piece.replace(/[×·÷−]/g, (sign) => signs[sign] ?? sign);
    const name = nameOf(nodes.size);
    nodes.set(name, node(piece));
    return name;
  });
  const { file, errors } = parse(`(${text.join('')})`, plan);
  const statement = file?.body[0];
  if (!file || errors[0] || file.body.length !== 1 || statement?.kind !== 'expression') {
    return { problem: errors[0]?.message ?? 'it is no expression' };
  }
  return treeOf(statement.value, nodes);
}

function treeOf(node: Expression, nodes: ReadonlyMap<string, Tuple>): ReadNumber {
  switch (node.kind) {
    case 'literal':
      return isNumber(node.value) ? { tree: node.value } : { problem: 'it holds text' };
    case 'name': {
      const found = nodes.get(node.name);
      return found ? { tree: found } : { problem: `${node.name} is no number and no reference` };
    }
    case 'unary': {
      const of = treeOf(node.operand, nodes);
      if ('problem' in of || node.operator === '+') return of;
      return node.operator === '-'
        ? { tree: negationTree(of.tree) }
        : { problem: `${node.operator} is no arithmetic` };
    }
    case 'binary': {
      const { operator } = node;
      if (!numberOperators.includes(operator)) {
        const hint = operator === '^' ? '; write ** for a power' : '';
        return { problem: `${operator} is no arithmetic${hint}` };
      }
      const left = treeOf(node.left, nodes);
      if ('problem' in left) return left;
      const right = treeOf(node.right, nodes);
      return 'problem' in right ? right : { tree: operationTree(operator, left.tree, right.tree) };
    }
    case 'call':
      return callOf(node, nodes);
    default:
      return { problem: `it holds ${wordOf(node.kind)}` };
  }
}

/** Elements of a list that is written out are arguments: `sum([$1, $2])`. */
function callOf({ callee, arguments: given }: Call, nodes: ReadonlyMap<string, Tuple>): ReadNumber {
  const name = callee.kind === 'name' ? callee.name : '';
  if (!numberFunctions.includes(name)) {
    const known = numberFunctions.join(', ');
    return { problem: `got ${name || 'a call'}, want one of the functions ${known}` };
  }
  const trees: Value[] = [];
  for (const one of given) {
    if (one.kind !== 'positional') return { problem: `${name} takes no arguments by name` };
    const { value } = one;
    const isSequence = value.kind === 'list' || value.kind === 'tuple';
    for (const item of isSequence ? value.items : [value]) {
      const read = treeOf(item, nodes);
      if ('problem' in read) return read;
      trees.push(read.tree);
    }
  }
  return { tree: callTree(name, ...trees) };
}

const isNumber = (value: Value): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'object' && value?.kind === 'float');

function wordOf(kind: Expression['kind']): string {
  switch (kind) {
    case 'list':
    case 'tuple':
      return 'a list';
    case 'dict':
      return 'an object';
    case 'attribute':
    case 'index':
    case 'slice':
      return 'a part of something that is no reference';
    default:
      return 'a condition';
  }
}
