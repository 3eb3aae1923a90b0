/** Holds calls of helpers against the tools that there are. */
import { nearest } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { bindingTool, nearTool, unknownToolHint } from '../../program/tool-names.ts';
import { checkValue, isMended } from '../schema-check.ts';
import { signatureOf } from '../signature.ts';
import { type Bound, bindArguments } from './arguments.ts';
import { type Checking, needTools, takeTop } from './checking.ts';
import { canTake } from './depth.ts';
import { formOf } from './forms.ts';
import { type HelperCall, literalOf, type Operand } from './nodes.ts';
import { error, warn } from './report.ts';
import { statementNames } from './syntax.ts';
import { helperIn, modelTool, ownTools } from './tools.ts';

/** `checkGiven` looks at what the call is given. */
export function checkHelper(
  c: Checking,
  call: HelperCall,
  checkGiven: (value: Operand) => void,
): void {
  const spec = helperIn(c.environment, call.name);
  if (!spec) {
    for (const { value } of call.args) if (value.kind !== 'hole') checkGiven(value);
    unknownHelper(c, call);
    return;
  }
  if (call.isBare) {
    const message = `got ${call.name}, taken as function_call(${call.name}(…))`;
    warn(c.report, 'bareCall', call, message, {
      hint: 'write function_call around the call of a helper',
    });
  }
  const bound = bindArguments(call, spec, c.element !== undefined);
  for (const { code, site, message, hint } of bound.problems) {
    error(c.report, code, site, message, { hint });
  }
  for (const { value } of bound.given) checkGiven(value);
  checkOpen(c, call, bound, spec);
  checkTypes(c, bound, spec);
}

/** What is left open is found in the element, or in the top of the stack. */
function checkOpen(c: Checking, call: HelperCall, { open }: Bound, spec: ToolSpec): void {
  if (open.length === 0) return;
  if (!c.element && canTake(c.depth, 1) === false) {
    const message = `${spec.name} lacks ${open.join(', ')}`;
    error(c.report, 'missingParameter', call, message, { hint: signatureOf(spec) });
    return;
  }
  needTools(c, call, `what ${spec.name} lacks is found by a model`, [bindingTool]);
  takeTop(c, call, spec.name);
}

function checkTypes(c: Checking, { given }: Bound, { parameters }: ToolSpec): void {
  const { properties = {} } = parameters;
  for (const { name, value } of given) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const literal = schema && literalOf(value);
    if (!literal) continue;
    // What only its notation keeps from its type is brought to it when the program runs.
    if (isMended(literal, schema)) continue;
    for (const { site, message, hint } of checkValue(name, literal, schema)) {
      error(c.report, 'wrongType', site, message, { hint });
    }
  }
}

function unknownHelper(c: Checking, call: HelperCall): void {
  const { tools } = c.environment;
  const meant = call.isBare ? nearest(call.name, statementNames) : undefined;
  const near = nearTool(tools, call.name);
  if (meant !== undefined && (near === undefined || near === modelTool)) {
    error(c.report, 'unknownStatement', call, `there is no statement ${call.name}`, {
      hint: `did you mean ${meant}? It is written ${formOf(meant)}`,
    });
    return;
  }
  const helpers = new Map([...tools].filter(([name]) => !ownTools.has(name)));
  error(c.report, 'unknownTool', call, `there is no tool ${call.name}`, {
    hint: () => unknownToolHint(tools, call.name, helpers),
    unknown: call.name,
  });
}
