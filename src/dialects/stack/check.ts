/** What can be said of a program before it runs: of its stack, its variables and its helpers. */

import { type Diagnostic, nearest } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import type { Environment } from '../dialect.ts';
import { inputHint } from '../report.ts';
import { checkHelper } from './check-helper.ts';
import { type Checking, needTools, takeFrom, takeTop } from './checking.ts';
import { canTake, type Depth, push } from './depth.ts';
import { forms } from './forms.ts';
import type { Action, Foreach, ModelCall, Operand, Take, Use } from './nodes.ts';
import { error, found, report, warn } from './report.ts';
import { modelTool } from './tools.ts';
import type { StackTree } from './tree.ts';

export const checkTree = (tree: StackTree, environment: Environment): Diagnostic[] =>
  checkProgram(tree, environment, [], { count: 0 });

function checkProgram(
  tree: StackTree,
  environment: Environment,
  within: readonly string[],
  uses: Checking['uses'],
): Diagnostic[] {
  const all = report();
  const c: Checking = {
    report: all,
    environment,
    names: new Set(environment.inputs),
    // What cannot be read may push anything, and set any variable.
    depth: { least: 0, isExact: !tree.isBroken },
    isBroken: tree.isBroken,
    programs: tree.programs,
    within,
    uses,
    element: undefined,
    seen: { answers: false },
  };
  if (tree.statements.length === 0 && !tree.isBroken) {
    error(all, 'noStatement', { line: 1, column: 1 }, 'there is no statement in the text', {
      hint: `a program consists of statements such as ${forms.function_call}, ${forms.answer}`,
    });
  }
  let before: Action | undefined;
  for (const { label, action } of tree.statements) {
    all.step = label;
    checkAction(c, action);
    if (before) checkKept(c, before, action);
    before = action;
  }
  checkEnd(c, tree);
  return found(all);
}

function checkEnd(
  { report: all, depth, seen }: Checking,
  { statements, isBroken }: StackTree,
): void {
  const last = statements.at(-1);
  if (last && seen.answers && !isBroken && depth.many) {
    const message = 'the values that foreach leaves on the stack are never taken';
    warn(all, 'leftOver', depth.many.site, message, {
      hint: 'take them with stack(), as in answer(stack()), or leave the statement out',
    });
  }
  if (!last || seen.answers || isBroken) return;
  if (statements.some(({ action }) => action.kind === 'give up')) return;
  const isEmpty = canTake(depth, 1) === false;
  const rest = isEmpty
    ? 'and nothing is left on the stack: a run ends without an answer'
    : 'so what is left on the stack is the answer';
  warn(all, 'noAnswer', last.action, `no statement answers, ${rest}`, {
    hint: `let the last statement be ${forms.answer}`,
  });
}

/** Who sets a variable behind a foreach may mean all that it leaves. */
function checkKept(c: Checking, before: Action, action: Action): void {
  const isMany = before.kind === 'push' && before.value.kind === 'foreach';
  if (!isMany || action.kind !== 'set') return;
  if (action.value.kind !== 'take' || action.value.count !== 1) return;
  const message = `of the values that foreach leaves, ${action.name} keeps the newest alone`;
  warn(c.report, 'oneOfMany', action, message, {
    hint: 'write data(stack()) before it to keep all of them as one list',
  });
}

/** Gives how many values it leaves on the stack; undefined for any number. */
function checkAction(c: Checking, action: Action): number | undefined {
  switch (action.kind) {
    case 'push': {
      const count = checkOperand(c, action.value);
      if (action.value.kind === 'take' && !c.element) {
        const message = 'values are taken from the stack, and nothing is done with them';
        warn(c.report, 'discarded', action, message, {
          hint: `write ${forms.answer} to answer with one`,
        });
        return 0;
      }
      if (!c.element) push(c.depth, count);
      if (!c.element && action.value.kind === 'foreach' && count !== 1) {
        c.depth.many = { site: action.value, count, above: 0 };
      }
      return count;
    }
    case 'answer':
      c.seen.answers = true;
      checkOperand(c, action.value);
      return 0;
    case 'set':
      checkOperand(c, action.value);
      c.names.add(action.name);
      return 0;
    case 'give up':
      if (action.reason) checkOperand(c, action.reason);
      return 0;
  }
}

/** Gives how many values there are; undefined for any number. */
function checkOperand(c: Checking, operand: Operand): number | undefined {
  switch (operand.kind) {
    case 'literal':
      return 1;
    case 'hole':
      error(c.report, 'badArguments', operand, `got ${operand.text}, want a value`, {
        hint: 'only what a helper is given may be left open',
      });
      return 1;
    case 'list':
      for (const item of operand.items) checkOperand(c, item);
      return 1;
    case 'object':
      for (const { value } of operand.entries) checkOperand(c, value);
      return 1;
    case 'data':
      checkOperand(c, operand.value);
      return 1;
    case 'take':
      return checkTake(c, operand);
    case 'get':
      if (!c.names.has(operand.name) && !c.isBroken) unset(c, operand);
      return 1;
    case 'model':
      checkModel(c, operand);
      return 1;
    case 'helper':
      checkHelper(c, operand, (value) => checkOperand(c, value));
      return 1;
    case 'foreach':
      return checkForeach(c, operand);
    case 'use':
      checkUse(c, operand);
      return undefined;
  }
}

function checkTake(c: Checking, operand: Take): number | undefined {
  const { count } = operand;
  const { least, isExact } = c.depth;
  const known = isExact ? least : undefined;
  if (canTake(c.depth, count === 'all' ? 1 : count) === false) {
    const there = least === 0 ? 'the stack is empty' : `there are ${least} on the stack`;
    const what = count === 'all' ? 'got all values' : count === 1 ? 'got 1 value' : `got ${count}`;
    error(c.report, 'underflow', operand, `${what} to take: ${there}`, {
      hint: c.element
        ? 'inside of foreach the stack holds the element, once'
        : 'answer and llm_call take their values away; keep one with set, read it with get',
    });
  }
  if (c.element) c.element.isUsed = true;
  takeFrom(c, operand, count);
  return count === 'all' ? known : count;
}

function unset(c: Checking, { name, ...site }: Site & { readonly name: string }): void {
  const near = nearest(name, c.names);
  const all = [...c.names].slice(0, namesMax).join(', ');
  const set =
    all === ''
      ? `set("${name}") keeps the top of the stack under that name`
      : `what is set by now is ${all}`;
  error(c.report, 'unset', site, `${name} is read, and no statement before has set it`, {
    hint: near === undefined ? `${set}; ${inputHint(name)}` : `did you mean ${near}?`,
  });
}

const namesMax = 20;

function checkModel(c: Checking, operand: ModelCall): void {
  needTools(c, operand, 'llm_call asks a model', [modelTool]);
  if (operand.operands) for (const one of operand.operands) checkOperand(c, one);
  else if (canTake(c.depth, 1) !== false) takeTop(c, operand, 'llm_call');
  checkOperand(c, operand.instruction);
}

/** Each is a copy of its program, and so are those inside of it. */
const usesMax = 100;

/** What is wrong with another program is said once, at the place where it is used. */
function checkUse(c: Checking, { name, ...site }: Use): void {
  if (c.within.includes(name)) {
    error(c.report, 'usesItself', site, `${[...c.within, name].join(' uses ')}, which has no end`);
    return;
  }
  const used = c.programs.get(name);
  if (!used) {
    error(c.report, 'unknownProgram', site, `there is no program ${name}`, {
      hint: 'write use("other.stack") for a file beside the program or below, or name a saved plan',
    });
    return;
  }
  c.uses.count += 1;
  if (c.uses.count > usesMax) {
    error(c.report, 'tooManyUses', site, `got more than ${usesMax} uses of other programs`);
    return;
  }
  const inner = checkProgram(used.tree, c.environment, [...c.within, name], c.uses);
  const wrong = [...used.diagnostics, ...inner].filter(({ severity }) => severity === 'error');
  const [first] = wrong;
  if (!first) return;
  const more = wrong.length > 1 ? ` and ${wrong.length - 1} more` : '';
  const message = `${name} has an error in line ${first.line}: ${first.message}${more}`;
  error(c.report, 'brokenProgram', site, message, { hint: first.hint });
}

function checkForeach(c: Checking, operand: Foreach): number | undefined {
  const { over, body, onError } = operand;
  const given = checkOperand(c, over);
  const element = { isUsed: false };
  const depth: Depth = { least: 1, isExact: true };
  const results = checkAction({ ...c, depth, element }, body);
  if (!element.isUsed) {
    warn(c.report, 'sameForAll', body, 'this does the same for every element', {
      hint: 'stack_pop(1) is the element; what a helper is not given is found in it',
    });
  }
  const last = onError?.last;
  if (typeof last === 'object') {
    checkAction({ ...c, depth: { least: 1, isExact: true }, element: { isUsed: false } }, last);
  }
  const count = last === undefined || last === 'fail' ? elementsIn(over, given) : undefined;
  return count === undefined || results === undefined ? undefined : count * results;
}

/** How many elements there are, where the program itself says. */
function elementsIn(over: Operand, given: number | undefined): number | undefined {
  const value = over.kind === 'data' ? over.value : over;
  if (value.kind === 'list') return value.items.length;
  return given !== undefined && given > 1 ? given : undefined;
}
