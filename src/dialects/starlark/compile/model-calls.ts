/**
 * Calls by which a program asks a model. Each is a tool that every run has, written as a built-in
 * function, and what the compiler knows and no author writes is put into the call here: where the
 * values came from. A row for each; the compiler, the check and the prompts read them.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import type { Argument, Call, Expression, Name, Position } from '../parse/syntax.ts';
import { areCounted, argumentNamed } from '../resolve/given.ts';
import { type Definitions, definitionOf } from './provenance.ts';

export interface ModelCall {
  /** How prompts and the language page show it; what they show of the tool itself is left out. */
  readonly row: {
    readonly signature: string;
    readonly about: string;
    readonly plan: true;
    readonly told?: 'signature';
  };
  /** The call as it is compiled. */
  readonly lower: (call: Call, definitions: Definitions) => Call;
}

/** By the name that programs write, which is that of the tool. */
export const modelCalls: Readonly<Record<string, ModelCall>> = {
  llm_call: {
    row: {
      signature: 'llm_call(values, instruction, fit="auto")',
      about:
        'Asks a model to do something with values, a list or a single one, and gives its text. ' +
        'It sees them and the instruction, and nothing else. Use it for long values: fit is ' +
        '"map" to have all of it read, "top" for the passages that matter, "auto" for either.',
      plan: true,
    },
    lower: withSources,
  },
  table: {
    row: {
      signature: 'table(data)',
      about:
        'A table of a list of dicts, of columns, or of the text of a CSV or JSON file. ' +
        't.ask("…") answers a question about it by SQL: a list of dicts, or a single value.',
      plan: true,
    },
    lower: (call) => call,
  },
  table_ask: {
    row: {
      signature: 'table_ask(t, question)',
      about: 'What t.ask(question) is short for.',
      plan: true,
      told: 'signature',
    },
    lower: (call) => call,
  },
  delegate: {
    row: {
      signature: 'delegate(task, helpers=[…], budget={…})',
      about:
        'Hands a part whose steps depend on what is found to a sub-agent, and gives its answer. ' +
        'task says all that has to be known for it; helpers names the tools that it may call; ' +
        'budget may have "tokens", "cost" in USD, "effects", "seconds".',
      plan: true,
    },
    lower: (call) => call,
  },
};

/** Whether a tool is shown by its row here; one that a user has under the name is shown as any. */
export const isModelCall = (name: string, spec: ToolSpec | undefined): boolean =>
  Object.hasOwn(modelCalls, name) && spec?.kind === 'model';

/** Built-in functions that are given as much: how each is compiled. */
export const sourcedBuiltins: Readonly<Record<string, ModelCall['lower']>> = {
  llm_bind(call, definitions) {
    const { arguments: given, at } = call;
    const expr = argumentNamed(given, 'expr', 0);
    if (!areCounted(given) || !expr || argumentNamed(given, 'source', 3)) return call;
    const text = definitionOf(expr, definitions);
    if (text === '') return call;
    const source: Expression = { kind: 'literal', at, value: text };
    return { ...call, arguments: [...given, named('source', source, at)] };
  },
};

/**
 * `t.ask("…")` as a call of the tool; undefined where it is none. No value of the language has a
 * method of that name, so it is one wherever the program makes no struct with such a field.
 */
export function loweredAsk(call: Call, definitions: Definitions): Call | undefined {
  const { callee, arguments: given } = call;
  if (callee.kind !== 'attribute' || callee.name !== 'ask' || definitions.hasAskField) return;
  if (!areCounted(given)) return;
  const name: Name = {
    ...{ kind: 'name', at: callee.nameAt, name: 'table_ask' },
    binding: { scope: 'predeclared', index: -1 },
  };
  const { object } = callee;
  const table: Argument = { kind: 'positional', at: object.at, value: object };
  return { ...call, callee: name, arguments: [table, ...given] };
}

function withSources(call: Call, definitions: Definitions): Call {
  const { arguments: given, at } = call;
  const values = argumentNamed(given, 'values', 0);
  if (!areCounted(given) || !values || argumentNamed(given, 'sources', 2)) return call;
  const each = values.kind === 'list' || values.kind === 'tuple' ? values.items : [values];
  const sources = each.map((one) => definitionOf(one, definitions));
  if (sources.every((text) => text === '')) return call;
  return { ...call, arguments: [...given, named('sources', texts(sources, at), at)] };
}

const named = (name: string, value: Expression, at: Position): Argument => ({
  ...{ kind: 'named', at, name, value },
});

const texts = (all: readonly string[], at: Position): Expression => ({
  ...{ kind: 'list', at },
  items: all.map((value) => ({ kind: 'literal', at, value })),
});
