/** The calls that a model asks for in its provider's own form, and what it is offered for them. */
import type { ModelReply, ToolCall, ToolOffer } from '../../effects/model/model.ts';
import { nearest } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { stringify } from '../../program/json.ts';
import { findTool } from '../../program/tool-names.ts';
import { isRead, keyOf, type NextAction, type NextCall } from './action-reply.ts';

type Specs = ReadonlyMap<string, ToolSpec>;

/** Under names that all providers take. */
export const offersOf = (tools: Specs): ToolOffer[] =>
  [...namesFor(tools)].map(([name, { description, parameters }]) => ({
    ...{ name, description, parameters },
  }));

/** Whether a reply was asked for as calls; models without training for that write actions. */
export const isNative = ({ native, text, calls = [] }: ModelReply): boolean =>
  calls.length > 0 ||
  (native === true && !/^[^\w\r\n\u2028\u2029]*(?:action|observation)\W*:/im.test(text));

/** Of the `tools` that there are, those `told` were offered. */
export function readNative(
  { text, calls = [] }: ModelReply,
  told: Specs,
  tools: Specs,
): NextAction {
  if (calls.length === 0) return { thought: '', calls: [], answer: { value: text.trim() } };
  const names = namesFor(told);
  return {
    thought: text.trim(),
    calls: calls.map((call) => nextCall(call, names, tools)),
    answer: null,
  };
}

function nextCall(call: ToolCall, names: Specs, tools: Specs): NextCall {
  const spec = names.get(call.name) ?? findTool(tools, call.name);
  const tool = spec?.name ?? call.name;
  const { args } = call;
  const isNamed = typeof args === 'object' && args !== null && !Array.isArray(args);
  const given = isNamed ? Object.entries(args) : [];
  const listed = given.map(([name, value]) => `${name}=${stringify(value)}`).join(', ');
  const problems = [
    ...(spec ? [] : [unknownTool(call.name, names)]),
    ...(isNamed ? [] : [`got arguments ${stringify(args)}, want a JSON object`]),
  ];
  return {
    ...{ action: `${tool}[${listed}]`, tool, args: isNamed ? args : {}, native: call },
    ...{
      needs: [],
      key: keyOf(tool, args),
      reads: isRead(tool, tools),
      problem: problems.join('; '),
    },
  };
}

function unknownTool(name: string, names: Specs): string {
  const near = nearest(name, names.keys());
  const meant = near === undefined ? '' : `, did you mean ${near}?`;
  return `there is no tool ${name}${meant} The tools are ${[...names.keys()].join(', ')}`;
}

/** Letters, digits, `_` and `-`, 64 at most, and no two alike: what all providers allow. */
function namesFor(tools: Specs): Map<string, ToolSpec> {
  const names = new Map<string, ToolSpec>();
  for (const spec of tools.values()) {
    const plain = spec.name.replace(/[^\w-]/g, '_').slice(0, charactersMax);
    let name = plain;
    for (let n = 2; names.has(name); n++) name = `${plain.slice(0, charactersMax - 3)}_${n}`;
    names.set(name, spec);
  }
  return names;
}

const charactersMax = 64;
