/**
 * `llm_bind` before it runs: whether there is the tool that its text names, with the parameters
 * that stand behind it, and that it is not given a list.
 */
import { type Diagnostic, nearest } from '../../../program/diagnostic.ts';
import type { ToolSpec } from '../../../program/effect.ts';
import { findTool, parameterName, readHelperCall, toolHint } from '../../../program/tool-names.ts';
import { signatureOf } from '../../signature.ts';
import type { Call, Expression } from '../parse/syntax.ts';
import { diagnostic } from '../parse/syntax-error.ts';
import { argumentNamed } from './given.ts';

type Tools = ReadonlyMap<string, ToolSpec>;

/** Ways to bind that are known: see the tool `bind_arguments`. */
const wayNames: readonly string[] = ['ask', 'unresolved', 'fail'];

/** `open`: there may be tools that are not among these. */
export function checkBinding(
  { callee, arguments: given }: Call,
  tools: Tools,
  open: boolean,
): Diagnostic[] {
  const isBind = callee.kind === 'name' && callee.name === 'llm_bind';
  if (!isBind || callee.binding?.scope !== 'universal') return [];
  const expr = argumentNamed(given, 'expr', 0);
  const helper = argumentNamed(given, 'helper', 1);
  const unbound = argumentNamed(given, 'unbound', 2);
  return [...checkExpr(expr), ...checkHelper(helper, tools, open), ...checkWay(unbound)];
}

function checkExpr(expr: Expression | undefined): Diagnostic[] {
  if (expr?.kind !== 'list') return [];
  const hint = 'bind each: for x in xs: ys.append(llm_bind(x, "helper(…)"))';
  return [diagnostic('PV2335', expr.at, 'llm_bind binds one value, got a list', { hint })];
}

function checkWay(given: Expression | undefined): Diagnostic[] {
  if (given?.kind !== 'literal' || wayNames.includes(String(given.value))) return [];
  const message = `unbound: got ${JSON.stringify(given.value)}, want ${wayNames.join(', ')}`;
  return [diagnostic('PV2335', given.at, message, {})];
}

function checkHelper(given: Expression | undefined, tools: Tools, open: boolean): Diagnostic[] {
  if (given?.kind !== 'literal' || typeof given.value !== 'string') return [];
  const { at, value: text } = given;
  const helper = readHelperCall(text);
  if (!helper) {
    const hint = 'write it as llm_bind(x, "get_profile(first_name, last_name)")';
    const message = `got the helper ${JSON.stringify(text)}, want a tool with its parameters`;
    return [diagnostic('PV2335', at, message, { hint })];
  }
  const spec = findTool(tools, helper.name);
  if (!spec) {
    const hint = toolHint(tools, helper.name) ?? 'name a tool that there is';
    const made = diagnostic('PV2335', at, `there is no tool ${helper.name}`, { hint });
    return [open ? { ...made, severity: 'warning' } : made];
  }
  const known = Object.keys(spec.parameters.properties ?? {});
  const wrong = helper.wanted.filter(
    (name) => known.length > 0 && !known.includes(parameterName(spec.parameters, name)),
  );
  return [
    ...wrong.map((name) => {
      const near = nearest(name, known);
      const meant = near === undefined ? '' : `did you mean ${near}? `;
      const message = `${spec.name} has no parameter ${name}`;
      return diagnostic('PV2335', at, message, { hint: `${meant}${signatureOf(spec)}` });
    }),
    ...helper.mended.map((mended): Diagnostic => {
      const made = diagnostic('PV2335', at, `in the helper, ${mended}`, {});
      return { ...made, severity: 'warning' };
    }),
  ];
}
