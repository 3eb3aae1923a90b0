/** A function as its author has written it: parameters, their types and defaults, documentation. */
import type { JsonSchema } from '../../../program/effect.ts';
import { behind, find, splitAt, withoutComments } from './brackets.ts';
import { type Declared, literalOf, schemaOfType } from './type-schema.ts';

export interface Written {
  readonly parameters: readonly WrittenParameter[];
  readonly returns: JsonSchema | undefined;
  readonly doc: Doc;
}

export interface WrittenParameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
  /** Whether it takes all that follow: `...names`. */
  readonly isRest: boolean;
}

export interface Doc {
  readonly about: string;
  /** By tag: `effect` → `read`. Of `param`, by name. */
  readonly tags: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, ParameterDoc>;
}

interface ParameterDoc {
  readonly type: string | undefined;
  readonly about: string;
}

/**
 * Reads the text of a function, from its name or `function` on, and the comment above it; undefined
 * for parameters that have no names, as `{ to }`.
 */
export function readFunction(
  text: string,
  comment: string,
  declared: Declared,
): Written | undefined {
  const doc = docOf(comment);
  const bare = /^(?:async\s+)?(\w+)\s*=>/.exec(text)?.[1];
  if (bare !== undefined) {
    return { parameters: [parameterOf(bare, doc, declared)], returns: undefined, doc };
  }
  const open = find(text, '(');
  if (open < 0) return undefined;
  const end = behind(text, open);
  const written = splitAt(text.slice(open + 1, end - 1), ',').map(withoutComments);
  const given = written.filter((one) => one !== '' && !/^this\b/.test(one));
  if (given.some((one) => /^[{[]/.test(one))) return undefined;
  const rest = text.slice(end).trimStart();
  const type = rest.startsWith(':') ? returnType(rest.slice(1).trimStart()) : '';
  const returns = schemaOfType(type, declared);
  return {
    parameters: given.map((one) => parameterOf(one, doc, declared)),
    returns: Object.keys(returns).length > 0 ? returns : undefined,
    doc,
  };
}

/** Up to the body, which a type that is an object does not begin. */
function returnType(text: string): string {
  if (text.startsWith('{')) return text.slice(0, behind(text, 0));
  const end = find(text, '{');
  return (end < 0 ? text : text.slice(0, end)).replace(/=>\s*$/, '').trim();
}

function parameterOf(text: string, doc: Doc, declared: Declared): WrittenParameter {
  const isRest = text.startsWith('...');
  const own = text.replace(/^\.\.\./, '');
  const equals = find(own, '=');
  const head = (equals < 0 ? own : own.slice(0, equals)).trim();
  const colon = find(head, ':');
  const named = (colon < 0 ? head : head.slice(0, colon)).trim();
  const name = named.replace(/\?$/, '');
  const said = doc.parameters.get(name);
  const type = colon < 0 ? (said?.type ?? '') : head.slice(colon + 1);
  const fallback = equals < 0 ? undefined : literalOf(own.slice(equals + 1).trim());
  const typed = schemaOfType(type, declared);
  const known = Object.keys(typed).length > 0 ? typed : typeOfValue(fallback);
  const schema = {
    ...known,
    ...(said && said.about !== '' && { description: said.about }),
    ...(fallback !== undefined && { default: fallback }),
  };
  const isOptional = isRest || equals >= 0 || named.endsWith('?');
  return { name, schema, isOptional, isRest };
}

function typeOfValue(value: unknown): JsonSchema {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? { type } : {};
}

function docOf(comment: string): Doc {
  const lines = comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''));
  // A tag may stand within a line where the comment has only one.
  const [about = '', ...tagged] = lines.join('\n').split(/(?:^|\s)@(?=\w)/);
  const tags = new Map<string, string>();
  const parameters = new Map<string, ParameterDoc>();
  for (const tag of tagged) {
    const [, name = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? [];
    if (name !== 'param') tags.set(name, rest.trim());
    else {
      const [, type, word = '', text = ''] =
        /^(?:\{([^}]*)\}\s*)?\[?(\w+)[^\s\]]*\]?\s*-?\s*([\s\S]*)$/.exec(rest) ?? [];
      parameters.set(word, { type, about: oneLine(text) });
    }
  }
  return { about: oneLine(about), tags, parameters };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
