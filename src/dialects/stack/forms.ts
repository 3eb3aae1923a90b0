/** How each statement is written: for hints, and for the description of the language. */
import { isStatementName, type StatementName } from './syntax.ts';

/** The form of a statement by its name; the name itself where there is no such statement. */
export const formOf = (name: string): string => (isStatementName(name) ? forms[name] : name);

export const forms: Readonly<Record<StatementName, string>> = {
  llm_call: 'llm_call(stack_pop(1), "what to do")',
  foreach: 'foreach(stack(), llm_call("what to do"))',
  function_call: 'function_call(Helper.name("value"))',
  data: 'data(["one", "two"])',
  dataframe: 'dataframe(["one", "two"])',
  answer: 'answer(stack_pop(1))',
  set: 'set("name")',
  get: 'get("name")',
  stack: 'stack()',
  stack_pop: 'stack_pop(1)',
  uncertain_or_error: 'uncertain_or_error("why")',
  use: 'use("other.stack")',
};
