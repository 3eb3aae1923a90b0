/**
 * Expressions in Starlark about the variables of a state that somebody looks at. They work on
 * copies and call no tool, so that looking changes nothing.
 */
import { compileEntry } from '../../dialects/starlark/entry.ts';
import { entryText } from '../../engine/views/preview.ts';
import { createMachine } from '../../machine/create.ts';
import type { Inspection, LineView } from '../../machine/inspection.ts';
import { pendingsIn } from '../../machine/values/pendings.ts';
import { decode, encode, NotData } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import { withoutReferences, writtenName } from './references.ts';

export type Evaluated =
  | { readonly ok: true; readonly value: Value; readonly program: Program }
  | { readonly ok: false; readonly why: string };

const instructionsMost = 1_000_000;

export class Expression {
  readonly text: string;
  /** By the names that it may use, which are those that had a value, and its text. */
  readonly #compiled = new Map<string, { program?: Program; why: string }>();

  constructor(text: string) {
    this.text = text;
  }

  /** The value in a state; of its own, so that nobody changes what the state holds. */
  evaluate(inspection: Inspection, path?: string): Evaluated {
    const scope = scopeOf(inspection, path);
    const { text, names: results } = withoutReferences(this.text, scope);
    const variable = (name: string): string => results.get(name) ?? name;
    const words = new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []);
    const names = [...words].filter((word) => scope.has(variable(word))).toSorted();
    const missing = [...results.values()].find((id) => !scope.has(id));
    if (missing !== undefined)
      return { ok: false, why: `${writtenName(missing)} has no value here` };
    const { program, why } = this.#compile(text, names);
    if (!program) return { ok: false, why };
    const inputs = new Map<string, Value>();
    for (const name of names) {
      try {
        inputs.set(name, copy(scope.get(variable(name)) ?? null, inspection));
      } catch (error) {
        if (!(error instanceof Unusable)) throw error;
        return { ok: false, why: `${writtenName(variable(name))} ${error.message}` };
      }
    }
    const machine = createMachine(program, { tools: new Map(), inputs });
    machine.run(instructionsMost);
    const { error, variables } = machine.view();
    if (error) return { ok: false, why: `${error.code} ${error.message}` };
    const value = variables.get('_');
    return value === undefined
      ? { ok: false, why: 'it has no value, or takes too long' }
      : { ok: true, value, program };
  }

  #compile(text: string, names: readonly string[]): { program?: Program; why: string } {
    const key = `${names.join(' ')} ${text}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const environment = { tools: new Map(), inputs: names };
    const { program, diagnostics } = compileEntry(text, environment, { fileName: 'it' });
    const why = diagnostics.map(({ code, message }) => `${code} ${message}`).join('; ');
    const made = program ? { program, why } : { why };
    this.#compiled.set(key, made);
    return made;
  }
}

/** Variables by name, as the main line, or a fiber, sees them: locals hide globals. */
export function scopeOf({ globals, lines }: Inspection, path = '0'): ReadonlyMap<string, Value> {
  return new Map([...globals, ...localsOf(lines.find((line) => line.path === path))]);
}

const localsOf = (line: LineView | undefined): ReadonlyMap<string, Value> =>
  line?.frames.at(-1)?.locals ?? new Map<string, Value>();

/** What an expression cannot use; the message goes behind the variable's name. */
class Unusable extends Error {}

function copy(value: Value, { pendings }: Inspection): Value {
  const [pending] = pendingsIn([value]);
  if (pending) {
    const entry = pendings.get(pending);
    throw new Unusable(entry ? `waits for ${entryText(entry)}` : 'was given up');
  }
  try {
    return decode(encode(value));
  } catch (error) {
    if (!(error instanceof NotData)) throw error;
    throw new Unusable(`is or holds ${error.message}, which only the program can use`);
  }
}
