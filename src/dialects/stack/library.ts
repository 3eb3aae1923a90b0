/**
 * What statements do with any number of values, as functions in guest code: programs call them
 * like built-in ones. Values and where they came from, as text, are two lists beside each other.
 * None of these waits for a value, but for the one that has to be known to be a list.
 */
import type { ProgramBuilder } from '../../program/builder.ts';
import { addFunction } from '../starlark/compile/prelude.ts';

const functions = {
  /** Takes the n newest off a list, the oldest first. */
  stack_take: `
def stack_take_(stack, n):
    taken = stack[len(stack) - n:]
    for _ in taken:
        stack.pop()
    return taken
`,
  /** Takes the newest, where there is one. */
  stack_top: `
def stack_top_(stack):
    return [stack.pop()] if len(stack) > 0 else []
`,
  /** One value for any number of them: the only one, or the list of all. */
  stack_value: `
def stack_value_(values):
    return values[0] if len(values) == 1 else values
`,
  /**
   * What foreach goes over, each with where it came from. Several values are the elements. A
   * single one is the list in it: itself, or JSON of one. None for a text that is neither.
   */
  stack_elements: `
def stack_elements_(values, sources):
    if len(values) != 1:
        named = [s or "element %d" % (i + 1) for i, s in enumerate(sources)]
        return zip(values, named)
    value, source = values[0], sources[0]
    if type(value) == "string":
        text = value.strip()
        value = json.decode(text, None) if text.startswith("[") else None
        if type(value) != "list":
            return None
    elif type(value) not in ("list", "tuple"):
        return [(value, source)]
    end = " of " + source if source else ""
    return [(element, "element %d%s" % (i + 1, end)) for i, element in enumerate(value)]
`,
  /** How it went for an element, which is tried so many times. */
  stack_try: `
def stack_try_(f, pair, times):
    outcome = attempt(f, pair)
    for _ in range(times - 1):
        if outcome.ok:
            break
        outcome = attempt(f, pair)
    return outcome
`,
  /** The same for all elements, one after the other. */
  stack_try_all: `
def stack_try_all_(tried, pairs):
    return [tried(pair) for pair in pairs]
`,
  /** The results of all elements. What failed is passed over, or f stands in. */
  stack_settled: `
def stack_settled_(pairs, outcomes, f):
    values = []
    sources = []
    for pair, outcome in zip(pairs, outcomes):
        if outcome.ok:
            found = outcome.value
        elif f == None:
            print("foreach passed over %s: %s" % (pair[1] or "an element", outcome.error.message))
            found = ([], [])
        else:
            found = f(pair)
        values.extend(found[0])
        sources.extend(found[1])
    return values, sources
`,
} as const;

export type StackFunction = keyof typeof functions;

/** Adds those of the functions that a program calls. */
export function addFunctions(program: ProgramBuilder, names: Iterable<StackFunction>): void {
  for (const name of names) addFunction(program, name, { source: functions[name], defaults: [] });
}
