/**
 * What the lines of an agent and the models that follow them may call: playbooks of its own and
 * public ones of others, functions of its blocks, tools.
 */
import { mandatory, type ToolSpec } from '../../../program/effect.ts';
import { toolNamesIn } from '../../../program/tool-names.ts';
import type { Callable } from '../grammar/expression.ts';
import { type CodeFunction, offeredFunctions } from '../source/code.ts';
import type { Agent, PlaybookHead } from '../source/tree.ts';

type HeadedAgent = Omit<Agent, 'playbooks'> & { readonly playbooks: readonly PlaybookHead[] };

/** By each name that they have, the first one for a name that several have. */
export function calleesOf(
  agent: HeadedAgent,
  agents: readonly HeadedAgent[],
  tools: Iterable<ToolSpec | string>,
): ReadonlyMap<string, Callable> {
  const callees = new Map<string, Callable>();
  const add = (callee: Callable, ...names: readonly string[]): void => {
    for (const name of names) if (!callees.has(name)) callees.set(name, callee);
  };
  const functions = offeredFunctions(agent);
  const played = new Map(agent.playbooks.map(({ name, description }) => [name, description]));
  for (const playbook of agent.playbooks.filter(({ mode }) => mode !== 'code')) {
    const id = `${agent.name}.${playbook.name}`;
    add(ofPlaybook(playbook, id, playbook.name), playbook.name, id);
  }
  // To its own agent a playbook that is a function is that, whatever else plays it.
  for (const one of functions) add(ofFunction(one, played.get(one.name)), one.name);
  for (const other of agents) {
    const offered = other.playbooks.filter(({ isPublic }) => isPublic);
    for (const playbook of other.name === agent.name ? [] : offered) {
      const id = `${other.name}.${playbook.name}`;
      add(ofPlaybook(playbook, id, id), id);
    }
  }
  const all = [...tools];
  for (const tool of all) if (typeof tool === 'string') add(named(tool), tool);
  const specs = all.filter((tool) => typeof tool !== 'string');
  for (const [name, spec] of toolNamesIn(new Map(specs.map((spec) => [spec.name, spec])))) {
    add(callees.get(spec.name) ?? ofTool(spec), name);
  }
  return callees;
}

const ofPlaybook = (playbook: PlaybookHead, id: string, shown: string): Callable => ({
  ...{ kind: 'playbook', name: id, shown, about: playbook.description, takesMore: false },
  ...(playbook.returns !== undefined && { returns: playbook.returns }),
  isHidden: playbook.isHidden,
  written: playbook.written,
  parameters: playbook.parameters.map(({ name, hasDollar = false, default: value }) => {
    return { name, hasDollar, isRequired: value === undefined };
  }),
});

const ofFunction = (
  { about, mandatory: needed, name, parameters, takesMore }: CodeFunction,
  description: string | undefined,
): Callable => ({
  ...{ kind: 'function', name, shown: name, about: description || about, takesMore },
  parameters: parameters.map((one) => ({ name: one, isRequired: needed.includes(one) })),
});

/** Of a tool of which only the name is known. */
const named = (name: string): Callable => ({
  ...{ kind: 'tool', name, shown: name, about: '', parameters: [], takesMore: true },
});

function ofTool(spec: ToolSpec): Callable {
  const { properties = {}, additionalProperties } = spec.parameters;
  const required = new Set(mandatory(spec));
  return {
    ...{ kind: 'tool', name: spec.name, shown: spec.name, about: spec.description, spec },
    takesMore: additionalProperties !== undefined && additionalProperties !== false,
    parameters: Object.entries(properties).map(([name, schema]) => {
      return { name, schema, isRequired: required.has(name) };
    }),
  };
}
