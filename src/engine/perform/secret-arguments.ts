/**
 * Arguments that a tool declares secret (`writeOnly: true` or `'x-secret': true` in its
 * parameters): the tool gets them, the journal and everything that is shown have `***` in their
 * place, and so has whatever the tool gives back that repeats them.
 *
 * The hash of a request is that of its true arguments, with a key of the run: two requests that
 * differ in a secret alone are two requests, and the hash alone tells nobody which secret it was.
 * Resuming derives the arguments from the program again, so nothing is lost.
 */
import type { JsonSchema, Outcome, ToolSpec } from '../../program/effect.ts';
import { decode, encode } from '../../program/json.ts';
import { dict, dictEntries, isDict, type Value } from '../../program/value.ts';

export interface SecretArguments {
  /** Canonical arguments as they may be shown. */
  hide(text: string): string;
  /** An outcome of a call with these arguments, without what is secret in them. */
  clean(args: string, outcome: Outcome): Outcome;
  /** The same for a line of text. */
  cleanText(args: string, text: string): string;
}

/** Names of secret parameters; of an object that is a parameter, those inside it. */
interface Names {
  readonly own: ReadonlySet<string>;
  readonly inside: ReadonlyMap<string, Names>;
}

const mark = '***';
/** Shorter values would take words out of any text. */
const charactersMin = 4;

/** Undefined where a tool declares no secrets, which costs nothing from then on. */
export function secretArguments(parameters: JsonSchema): SecretArguments | undefined {
  const names = namesIn(parameters);
  if (!names) return undefined;
  const texts = (args: string): string[] => {
    const found: string[] = [];
    hide(decode(args), names, found);
    return found.filter((text) => text.length >= charactersMin);
  };
  const cleanText = (args: string, text: string): string =>
    texts(args).reduce((rest, secret) => rest.replaceAll(secret, mark), text);
  return {
    hide: (text) => encode(hide(decode(text), names, [])),
    cleanText,
    clean(args, outcome) {
      if (outcome.ok) {
        // Inside canonical text a string is written as JSON writes it.
        const value = texts(args).reduce(
          (rest, secret) => rest.replaceAll(JSON.stringify(secret).slice(1, -1), mark),
          outcome.value,
        );
        return { ok: true, value };
      }
      const { message, hint } = outcome.error;
      const said = { ...outcome.error, message: cleanText(args, message) };
      return {
        ok: false,
        error: hint === undefined ? said : { ...said, hint: cleanText(args, hint) },
      };
    },
  };
}

/** Whether any of these tools declares a secret parameter. */
export const hasSecrets = (specs: Iterable<Pick<ToolSpec, 'parameters'>>): boolean =>
  [...specs].some(({ parameters }) => namesIn(parameters) !== undefined);

/** Arguments of a request as they may be shown and journaled. */
export function shownArguments(
  spec: Pick<ToolSpec, 'parameters'> | undefined,
  args: string,
): string {
  return (spec && secretArguments(spec.parameters)?.hide(args)) ?? args;
}

function namesIn({ properties = {} }: JsonSchema): Names | undefined {
  const own = new Set<string>();
  const inside = new Map<string, Names>();
  for (const [name, schema] of Object.entries(properties)) {
    if (schema.writeOnly === true || schema['x-secret'] === true) {
      own.add(name);
    } else {
      const below = namesIn(schema);
      if (below) inside.set(name, below);
    }
  }
  return own.size > 0 || inside.size > 0 ? { own, inside } : undefined;
}

/** The value with marks for its secrets, whose texts are added to `found`. */
function hide(value: Value, names: Names, found: string[]): Value {
  if (!isDict(value)) return value;
  const shown = new Map<Value, Value>();
  for (const [key, item] of dictEntries(value)) {
    const name = String(key);
    const inside = names.inside.get(name);
    if (names.own.has(name) && item !== null) {
      collect(item, found);
      shown.set(key, mark);
    } else {
      shown.set(key, inside ? hide(item, inside, found) : item);
    }
  }
  return dict(shown);
}

function collect(value: Value, found: string[]): void {
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'number' || typeof value === 'bigint') found.push(String(value));
  else if (isDict(value)) {
    for (const [, item] of dictEntries(value)) collect(item, found);
  } else if (value !== null && typeof value === 'object' && value.kind === 'list') {
    for (const item of value.items) collect(item, found);
  }
}
