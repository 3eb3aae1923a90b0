/** Turns the JSON of a parameter into an expression: references and templates are found, once. */
import { evaluate } from '../../program/arithmetic.ts';
import { type Site, siteOf } from '../../program/effect.ts';
import { float, type Value } from '../../program/value.ts';
import type { JsonNode, JsonObject, JsonScalar } from '../../text/json-node.ts';
import { type Expression, formOf, type Reference, type Template } from './plan.ts';
import { membersOf, type Reader } from './report.ts';
import { pathOf, piecesOf } from './template.ts';

export function expressionOf(reader: Reader, node: JsonNode): Expression {
  switch (node.kind) {
    case 'array':
      return {
        kind: 'list',
        items: node.items.map((item) => expressionOf(reader, item)),
        ...siteOf(node),
      };
    case 'object':
      return referenceObject(reader, node) ?? objectOf(reader, node);
    case 'string':
      return textOf(reader, node);
    case 'null':
    case 'bool':
    case 'int':
    case 'float':
      return { kind: 'literal', value: scalarOf(node), ...siteOf(node) };
  }
}

function scalarOf(node: JsonScalar): Value {
  return node.kind === 'float' ? float(Number(node.value)) : node.value;
}

/** `{"var": "x"}`, with that key alone. */
function referenceObject(reader: Reader, node: JsonObject): Reference | undefined {
  const named = node.members.find(({ key }) => key === 'var')?.value;
  if (named?.kind !== 'string' || named.value === '') return undefined;
  const text = String(named.value);
  const path = pathOf(text);
  if (node.members.length === 1) {
    return { kind: 'reference', form: 'object', text, ...path, ...siteOf(node) };
  }
  const { step } = reader;
  const { name } = path;
  reader.suspects.push({ kind: 'extra keys', form: 'object', name, text, step, ...siteOf(node) });
  return undefined;
}

function objectOf(reader: Reader, node: JsonObject): Expression {
  const entries = [...membersOf(reader, node)].map(([name, { keyNode, value }]) => ({
    name,
    value: expressionOf(reader, value),
    ...siteOf(keyNode),
  }));
  return { kind: 'object', entries, ...siteOf(node) };
}

function textOf(reader: Reader, node: JsonScalar): Expression {
  const { parts, others } = piecesOf(String(node.value), formOf(reader.dialect));
  const site = siteOf(node);
  const { step } = reader;
  const placeOfOther = locator(reader.text, node);
  for (const { kind, form, name, text } of others) {
    reader.suspects.push({ kind, form, name, text, step, ...placeOfOther(text) });
  }
  const placeOf = locator(reader.text, node);
  const located = parts.map((part): string | Reference =>
    typeof part === 'string' ? part : { kind: 'reference', ...part, ...placeOf(part.text) },
  );
  const [only = ''] = located;
  if (located.length > 1) return { kind: 'template', parts: located, ...site };
  return typeof only === 'string' ? { kind: 'literal', value: only, ...site } : only;
}

/**
 * Finds pieces of a string in the source, one after the other, in one pass over it; from the first
 * that an escape hides, the place of the string itself.
 */
function locator(source: string, node: JsonScalar): (piece: string) => Site {
  const raw = source.slice(node.start, node.end);
  let { line, column } = node;
  let from = 0;
  let lost = false;
  return (piece) => {
    const at = lost ? -1 : raw.indexOf(piece, from);
    lost = at < 0;
    if (lost) return siteOf(node);
    for (; from < at; from++) {
      const breaks = raw.charCodeAt(from) === newline;
      line += breaks ? 1 : 0;
      column = breaks ? 1 : column + 1;
    }
    return { line, column };
  };
}

const newline = 10;

// Arithmetic in an assign: `${i} + 1`. Only a template counts that has a reference and a binary
// operator, and besides them only numbers and parentheses, in a form that can be evaluated.
// Three or more operands that only dashes or only slashes join, without a space, are a date, a
// telephone number or a path: text. So is a number with a leading zero.

export interface Arithmetic {
  /** The template with `$0`, `$1`, … for its references. */
  readonly text: string;
  readonly operands: readonly Reference[];
}

/** As many operands as one call can carry beside the text. */
const operandsMax = 200;
const charactersMax = 10_000;

export function arithmeticOf({ parts }: Template): Arithmetic | undefined {
  const operands: Reference[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      if (!/^[-+*/%().\d\s]*$/.test(part) || /(?<![\d.])0\d/.test(part)) return undefined;
      // A digit right behind a reference continues its text and is no operand of its own.
      if (operands.length > 0 && /^[\d.]/.test(part)) return undefined;
      text += part;
    } else text += `$${operands.push(part) - 1}`;
  }
  if (operands.length > operandsMax || text.length > charactersMax) return undefined;
  const joined = /^[$\d.]+(-[$\d.]+){2,}$|^[$\d.]+(\/[$\d.]+){2,}$/.test(text);
  if (joined || !/[\d)]\s*[-+*/%]/.test(text)) return undefined;
  const tried = evaluate(
    text,
    operands.map(() => 1),
  );
  return 'error' in tried && tried.error.syntax ? undefined : { text, operands };
}
