/** Whether a value that a model has written out fits the JSON Schema of a tool's parameter. */
import { checkValue, isMended, type Written } from '../../../dialects/schema-check.ts';
import type { JsonSchema } from '../../../program/effect.ts';
import { fromJson } from '../../../program/json.ts';
import type { Expr } from '../reply/expr.ts';

/** What is wrong with it. What is not known yet fits, and so does what the call corrects. */
export function misfit(
  name: string,
  value: Expr,
  schema: JsonSchema | undefined,
): string | undefined {
  const written = writtenOf(value);
  if (!schema || isMended(written, schema)) return undefined;
  return checkValue(name, written, schema)[0]?.message;
}

/** A reply has no places in a file. */
const site = { line: 0, column: 0 };

function writtenOf(expr: Expr): Written {
  switch (expr.is) {
    case 'value':
      return dataWritten(expr.value);
    case 'ref':
      return { kind: 'reference', ...site };
    case 'text':
      return { kind: 'template', ...site };
    case 'list':
      return listWritten(expr.items.map(writtenOf));
    case 'dict':
      return dictWritten(expr.items, writtenOf);
  }
}

function dataWritten(data: unknown): Written {
  if (Array.isArray(data)) return listWritten(data.map(dataWritten));
  if (typeof data === 'object' && data !== null) return dictWritten(Object(data), dataWritten);
  return { kind: 'literal', value: fromJson(data), ...site };
}

const listWritten = (items: readonly Written[]): Written => ({ kind: 'list', items, ...site });

function dictWritten<T>(items: { readonly [key: string]: T }, written: (item: T) => Written) {
  const entries = Object.entries(items).map(([name, item]) => {
    return { name, value: written(item), ...site };
  });
  return { kind: 'object', entries, ...site } as const;
}
