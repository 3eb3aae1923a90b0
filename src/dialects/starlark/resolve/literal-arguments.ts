/** Values that are written out in calls of tools, held against the schemas of the parameters. */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import { mandatory, type Site, type ToolSpec } from '../../../program/effect.ts';
import { unpackPosition } from '../../../program/program.ts';
import { parameterName } from '../../../program/tool-names.ts';
import { float, type Value } from '../../../program/value.ts';
import { checkValue, type Written } from '../../schema-check.ts';
import { signatureOf } from '../../signature.ts';
import type { Argument, Binary, Dict, Expression } from '../parse/syntax.ts';
import { constants } from './universe.ts';

/** Nothing is said of what only the run can tell. */
export function checkLiterals(spec: ToolSpec, given: readonly Argument[]): Diagnostic[] {
  const { properties = {} } = spec.parameters;
  const names = Object.keys(properties);
  return given.flatMap((argument, i): Diagnostic[] => {
    if (argument.kind !== 'positional' && argument.kind !== 'named') return [];
    const name =
      argument.kind === 'named' ? parameterName(spec.parameters, argument.name) : names[i];
    const schema = name !== undefined && Object.hasOwn(properties, name) && properties[name];
    if (!schema) return [];
    const value = written(argument.value);
    const isNone = value.kind === 'literal' && value.value === null;
    // A person is asked for it.
    if (isNone && spec.requires?.includes(name)) return [];
    const spare = isNone && !mandatory(spec).includes(name) ? `leave ${name} out` : undefined;
    return checkValue(name, value, schema).map(({ site, message, hint }) => {
      const advice =
        spare ?? hint?.replace(/^write (true|false) /, inCapitals) ?? signatureOf(spec);
      return { code: 'PV2336', severity: 'error', message, ...site, hint: advice };
    });
  });
}

const inCapitals = (_all: string, word: string): string =>
  `write ${word === 'true' ? 'True' : 'False'} `;

/** What an expression says of its value, in the form that all dialects have for it. */
function written(node: Expression): Written {
  const at = unpackPosition(node.at);
  const value = constantOf(node);
  if (value !== undefined) return { kind: 'literal', value, ...at };
  switch (node.kind) {
    case 'list':
    case 'tuple':
      return { kind: 'list', items: node.items.map(written), ...at };
    case 'dict':
      return object(node, at);
    case 'comprehension':
      // What is in it is not known, nor are the keys of one that makes a dict.
      return node.result.kind === 'entry'
        ? { kind: 'reference', ...at }
        : { kind: 'list', items: [], isOpen: true, ...at };
    case 'format':
      return { kind: 'template', ...at };
    case 'binary':
      return { kind: isText(node) ? 'template' : 'reference', ...at };
    default:
      return { kind: 'reference', ...at };
  }
}

/** A scalar that is written out; undefined for anything else. */
function constantOf(node: Expression): Value | undefined {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'object' && node.value.kind === 'bytes' ? undefined : node.value;
    case 'name':
      return node.binding?.scope === 'universal' ? constants.get(node.name) : undefined;
    case 'unary': {
      const value = node.operator === '-' ? constantOf(node.operand) : undefined;
      if (typeof value === 'number' || typeof value === 'bigint') return -value;
      return typeof value === 'object' && value?.kind === 'float' ? float(-value.value) : undefined;
    }
    default:
      return undefined;
  }
}

/** One with keys that only the run knows may hold anything. */
function object({ entries }: Dict, at: Site): Written {
  const read: { name: string; value: Written; line: number; column: number }[] = [];
  for (const { key, value } of entries) {
    const name = constantOf(key);
    if (typeof name !== 'string') return { kind: 'reference', ...at };
    read.push({ name, value: written(value), ...unpackPosition(key.at) });
  }
  return { kind: 'object', entries: read, ...at };
}

/** `"%s" % x` and `"a" + x` are texts, or fail. */
const isText = ({ operator, left, right }: Binary): boolean =>
  (operator === '%' && isTextual(left)) ||
  (operator === '+' && (isTextual(left) || isTextual(right)));

const isTextual = (node: Expression): boolean =>
  node.kind === 'format' ||
  typeof constantOf(node) === 'string' ||
  (node.kind === 'binary' && isText(node));
