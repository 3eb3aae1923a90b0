/**
 * What calls mean: from syntax to what a program says. Needs to know no tools; what is wrong about
 * the form of a statement is said here, with the form that is right.
 */
import { type Site, siteOf } from '../../program/effect.ts';
import { forms } from './forms.ts';
import {
  type Action,
  type Data,
  everyAction,
  type Foreach,
  type HelperCall,
  type ModelCall,
  type OnError,
  type Operand,
  stackName,
  type Take,
  type Use,
} from './nodes.ts';
import { error, type Report, warn } from './report.ts';
import {
  type ArgumentSyntax,
  type CallSyntax,
  isStatementName,
  nameOfUsed,
  type Syntax,
} from './syntax.ts';

/** The most values that stack_pop takes by number. */
const countMax = 1_000_000;

/** What a statement does; undefined, and said, where its form is wrong. */
export function actionOf(report: Report, call: CallSyntax): Action | undefined {
  switch (call.name) {
    case 'answer':
      return answerOf(report, call);
    case 'set':
      return setOf(report, call);
    case 'uncertain_or_error': {
      const args = argumentsOf(report, call, 0, 1);
      const given = args?.[0] && operandOf(report, args[0].value);
      if (!args || (args[0] && !given)) return undefined;
      return { kind: 'give up', reason: given, ...siteOf(call) };
    }
    default: {
      const value = operandOf(report, call);
      return value && { kind: 'push', value, ...siteOf(call) };
    }
  }
}

const top = (at: Site): Take => ({ kind: 'take', count: 1, ...siteOf(at) });

function answerOf(report: Report, call: CallSyntax): Action | undefined {
  const args = argumentsOf(report, call, 0, 1);
  if (!args) return undefined;
  const [given] = args;
  if (!given) {
    const message = 'answer is not told what; it answers with the top of the stack';
    warn(report, 'implicitTop', call, message, { hint: `write ${forms.answer}` });
  }
  const value = given ? operandOf(report, given.value) : top(call);
  return value && { kind: 'answer', value, ...siteOf(call) };
}

/** `set("name")`, with what it is behind the name; or with the value itself, as models write it. */
function setOf(report: Report, call: CallSyntax): Action | undefined {
  const args = argumentsOf(report, call, 1, 2);
  const [first, second] = args ?? [];
  if (!first) return undefined;
  const name = nameIn(report, first.value, call);
  if (name === undefined) return undefined;
  const set = { kind: 'set', name, ...siteOf(call) } as const;
  if (!second) return { ...set, value: top(call) };
  const value = operandOf(report, second.value);
  if (!value) return undefined;
  const isTitle = value.kind === 'literal' && typeof value.value === 'string';
  return isTitle ? { ...set, title: String(value.value), value: top(call) } : { ...set, value };
}

/** The name of a variable: a text, or a name alone. */
function nameIn(report: Report, value: Syntax, call: CallSyntax): string | undefined {
  const text = value.kind === 'literal' ? value.value : undefined;
  const name = value.kind === 'name' ? value.name : text;
  if (name === stackName) {
    error(report, 'reservedName', value, 'stack is the name of the stack itself', {
      hint: 'give the variable another name',
    });
    return undefined;
  }
  if (typeof name === 'string' && name !== '') return name;
  error(report, 'notText', value, `${call.name}: want the name of a variable in quotes`, {
    hint: `write ${call.name === 'get' ? forms.get : forms.set}`,
  });
  return undefined;
}

/** What gives values; undefined, and said, where it gives none. */
function operandOf(report: Report, syntax: Syntax): Operand | undefined {
  switch (syntax.kind) {
    case 'literal':
    case 'hole':
      return syntax;
    case 'name': {
      const { name } = syntax;
      const message = `got ${name}, taken as get("${name}")`;
      warn(report, 'bareName', syntax, message, { hint: `write get("${name}")` });
      return { kind: 'get', name, ...siteOf(syntax) };
    }
    case 'list': {
      const items = all(syntax.items.map((item) => operandOf(report, item)));
      return items && { kind: 'list', items, ...siteOf(syntax) };
    }
    case 'object': {
      const values = all(syntax.entries.map(({ value }) => operandOf(report, value)));
      const entries = syntax.entries.flatMap(({ name, ...at }, i) => {
        const value = values?.[i];
        return value ? [{ name, value, ...siteOf(at) }] : [];
      });
      return values && { kind: 'object', entries, ...siteOf(syntax) };
    }
    case 'call':
      return callOf(report, syntax);
  }
}

function all<Item>(items: readonly (Item | undefined)[]): Item[] | undefined {
  const there = items.filter((item) => item !== undefined);
  return there.length === items.length ? there : undefined;
}

function callOf(report: Report, call: CallSyntax): Operand | undefined {
  const { name } = call;
  if (!isStatementName(name)) return { ...helperOf(report, call), isBare: true };
  switch (name) {
    case 'llm_call':
      return modelOf(report, call);
    case 'foreach':
      return foreachOf(report, call);
    case 'function_call':
      return functionOf(report, call);
    case 'data':
    case 'dataframe':
      return dataOf(report, call);
    case 'get': {
      const [given] = argumentsOf(report, call, 1, 1) ?? [];
      const variable = given && nameIn(report, given.value, call);
      return variable === undefined ? undefined : { kind: 'get', name: variable, ...siteOf(call) };
    }
    case 'use':
      return useOf(report, call);
    case 'stack':
      return argumentsOf(report, call, 0, 0) && { ...top(call), count: 'all' };
    case 'stack_pop':
      return popOf(report, call);
    case 'answer':
    case 'set':
    case 'uncertain_or_error':
      error(report, 'noValue', call, `${name} gives no value that could stand here`, {
        hint: `write ${forms[name]} as a statement of its own`,
      });
      return undefined;
  }
}

/** The last argument is the instruction; those before it are what the model is to look at. */
function modelOf(report: Report, call: CallSyntax): ModelCall | undefined {
  const args = argumentsOf(report, call, 1, Number.POSITIVE_INFINITY);
  const given = args && all(args.map(({ value }) => operandOf(report, value)));
  if (!args || !given) return undefined;
  const named = args.findIndex(({ name }) => name === 'instruction');
  const at = named < 0 ? given.length - 1 : named;
  const instruction = given[at];
  if (!instruction) return undefined;
  const others = given.filter((_, index) => index !== at);
  const isText = instruction.kind === 'literal' && typeof instruction.value === 'string';
  if (!isText && instruction.kind !== 'get') {
    error(report, 'notText', instruction, 'llm_call: want what to do, as text in quotes', {
      hint: `write ${forms.llm_call}`,
    });
    return undefined;
  }
  const operands = others.length === 0 ? undefined : others;
  return { kind: 'model', operands, instruction, source: call.source, ...siteOf(call) };
}

function foreachOf(report: Report, call: CallSyntax): Foreach | undefined {
  const [source, statement, handling] = argumentsOf(report, call, 2, 3) ?? [];
  if (!source || !statement) return undefined;
  const over = operandOf(report, source.value);
  if (statement.value.kind !== 'call') {
    error(report, 'badArguments', statement, 'foreach: want a statement as the second argument', {
      hint: `write ${forms.foreach}`,
    });
    return undefined;
  }
  const body = actionOf(report, statement.value);
  const onError = handling && onErrorOf(report, handling);
  if (!over || !body || (handling && !onError)) return undefined;
  if (onError && !givesValues(body)) {
    error(report, 'badArguments', statement, 'on_error: want a statement that pushes values', {
      hint: 'write foreach(stack(), function_call(Helper.name()), on_error="skip")',
    });
    return undefined;
  }
  const bodySource = statement.value.source;
  const own = { over, body, bodySource, source: call.source, ...(onError && { onError }) };
  return { kind: 'foreach', ...own, ...siteOf(call) };
}

/** Variables and answers cannot be taken back where a statement fails in its midst. */
const givesValues = (body: Action): boolean =>
  everyAction(body).every(({ kind }) => kind === 'push');

function onErrorOf(
  report: Report,
  { name = 'on_error', value }: ArgumentSyntax,
): OnError | undefined {
  if (name === 'on_error' && value.kind === 'call') {
    const last = actionOf(report, value);
    if (last && givesValues(last)) return { retries: 0, last };
    if (!last) return undefined;
  }
  const words = value.kind === 'literal' ? String(value.value) : '';
  const [form, retry, times, skip] =
    /^(?:(retry)(?:\s+(\d))?)?(?:\s*(?:,\s*)?(skip|pass))?$/i.exec(words.trim()) ?? [];
  if (name === 'on_error' && form !== undefined && (retry || skip)) {
    return { retries: retry ? Number(times ?? 1) : 0, last: skip ? 'skip' : 'fail' };
  }
  error(report, 'badArguments', value, `foreach: want ${onErrorForms}`, {
    hint: `write ${forms.foreach}`,
  });
  return undefined;
}

const onErrorForms =
  'on_error="skip", "retry", "retry 3, skip", or a statement that gives a value instead';

function functionOf(report: Report, call: CallSyntax): HelperCall | undefined {
  const [given] = argumentsOf(report, call, 1, 1) ?? [];
  if (!given) return undefined;
  const { value } = given;
  if (value.kind === 'call' && !isStatementName(value.name)) return helperOf(report, value);
  if (value.kind === 'name') {
    return helperOf(report, { ...value, kind: 'call', args: [], source: `${value.name}()` });
  }
  const got = value.kind === 'call' ? `the statement ${value.name}` : `no call`;
  error(report, 'badArguments', value, `function_call: got ${got}, want a call of a helper`, {
    hint: `write ${forms.function_call}`,
  });
  return undefined;
}

function helperOf(report: Report, { name, args, source, ...at }: CallSyntax): HelperCall {
  const values = args.map((one) => ({ ...one, value: argumentOf(report, one.value) }));
  const given = values.flatMap(({ value, ...rest }) => (value ? [{ ...rest, value }] : []));
  return { kind: 'helper', name, args: given, source, isBare: false, ...siteOf(at) };
}

/** A name among the arguments of a helper is one that its author leaves open. */
function argumentOf(report: Report, value: Syntax): Operand | undefined {
  if (value.kind !== 'name') return operandOf(report, value);
  return { kind: 'hole', text: value.name, ...siteOf(value) };
}

function dataOf(report: Report, call: CallSyntax): Data | undefined {
  const args = argumentsOf(report, call, 1, Number.POSITIVE_INFINITY);
  const given = args && all(args.map(({ value }) => operandOf(report, value)));
  const [first, ...more] = given ?? [];
  if (!given || !first) return undefined;
  const items = { kind: 'list', items: given, ...siteOf(first) } as const;
  const value = more.length === 0 ? first : items;
  return { kind: 'data', value, source: call.source, ...siteOf(call) };
}

function useOf(report: Report, call: CallSyntax): Use | undefined {
  const [given] = argumentsOf(report, call, 1, 1) ?? [];
  if (!given) return undefined;
  const { value } = given;
  const name = nameOfUsed(value);
  if (name !== undefined) return { kind: 'use', name, source: call.source, ...siteOf(call) };
  error(report, 'notText', value, 'use: want the name of a program, or a run, in quotes', {
    hint: `write ${forms.use}`,
  });
  return undefined;
}

function popOf(report: Report, call: CallSyntax): Take | undefined {
  const args = argumentsOf(report, call, 0, 1);
  if (!args) return undefined;
  const [given] = args;
  if (!given) {
    const message = 'stack_pop is not told how many values to take; it takes one';
    warn(report, 'noCount', call, message, { hint: 'write stack_pop(1)' });
    return top(call);
  }
  const { value } = given;
  const count = value.kind === 'literal' ? value.value : undefined;
  if (typeof count === 'number' && count >= 0 && count <= countMax) {
    return { ...top(call), count: count === 0 ? 'all' : count };
  }
  error(report, 'badCount', value, `stack_pop: want a whole number from 0 to ${countMax}`, {
    hint: 'stack_pop(1) takes the newest value, stack_pop(0) and stack() take all',
  });
  return undefined;
}

/** The arguments of a statement; undefined, and said, where there are too few or too many. */
function argumentsOf(
  report: Report,
  call: CallSyntax,
  least: number,
  most: number,
): readonly ArgumentSyntax[] | undefined {
  const { name, args } = call;
  if (args.length >= least && args.length <= most) return args;
  const want = least === most ? String(least) : most === 1 ? 'at most 1' : `${least} or more`;
  const form = isStatementName(name) ? forms[name] : name;
  error(report, 'badArguments', call, `${name}: got ${args.length} arguments, want ${want}`, {
    hint: `write ${form}`,
  });
  return undefined;
}
