/**
 * What statements do with the stack, as functions in guest code: programs call them like built-in
 * ones. The stack is a list, the newest last, of items {"value": …, "source": …}; where a value
 * came from travels with it, as text. None of these waits for a value, but for the one that has to
 * be known to be a list.
 */
import type { ProgramBuilder } from '../../program/builder.ts';
import { addFunction } from '../starlark/prelude.ts';

const functions = {
  /** Takes the n newest items off the stack, all of them for None; the oldest first. */
  stack_take: `
def stack_take_(stack, n):
    start = 0 if n == None else len(stack) - n
    taken = stack[start:]
    for _ in taken:
        stack.pop()
    return taken
`,
  /** Takes the newest item, where there is one. */
  stack_top: `
def stack_top_(stack):
    return [stack.pop()] if len(stack) > 0 else []
`,
  stack_push: `
def stack_push_(stack, items):
    stack.extend(items)
`,
  stack_values: `
def stack_values_(items):
    return [item["value"] for item in items]
`,
  stack_sources: `
def stack_sources_(items):
    return [item["source"] for item in items]
`,
  /** One value for any number of items: the value of the only one, or the list of all. */
  stack_value: `
def stack_value_(items):
    if len(items) == 1:
        return items[0]["value"]
    return [item["value"] for item in items]
`,
  /**
   * What foreach goes over. Several items are the elements. A single one is the list in it, where
   * it is a list or JSON of one.
   */
  stack_elements: `
def stack_elements_(items):
    if len(items) != 1:
        return items
    value, source = items[0]["value"], items[0]["source"]
    if type(value) == "string":
        text = value.strip()
        found = json.decode(text, None) if text.startswith("[") else None
        if type(found) != "list":
            fail("foreach: got a text, want a list, or JSON of one")
        value = found
    elif type(value) not in ("list", "tuple"):
        return items
    return [
        {"value": element, "source": "element %d of %s" % (i + 1, source)}
        for i, element in enumerate(value)
    ]
`,
} as const;

export type StackFunction = keyof typeof functions;

/** Adds those of the functions that a program calls. */
export function addFunctions(program: ProgramBuilder, names: Iterable<StackFunction>): void {
  for (const name of names) addFunction(program, name, { source: functions[name], defaults: [] });
}
