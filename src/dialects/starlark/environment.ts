/** What a program of a model may refer to, as the resolver asks for it. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import { notAllowed, unknownToolHint, withheldTool } from '../../program/tool-names.ts';
import { tool, type Value } from '../../program/value.ts';
import type { Environment } from '../dialect.ts';
import { inputHint } from '../report.ts';
import type { ModuleContext } from './compile/emitter.ts';
import { plan } from './parse/options.ts';
import type { ResolveEnvironment } from './resolve/resolver.ts';
import { callable, isNamespace, namespacesIn, writable } from './resolve/tool-names.ts';
import { conversationInput, universe } from './resolve/universe.ts';

export function resolveEnvironment({ tools, inputs }: Environment): ResolveEnvironment {
  const named = writable(tools);
  const spaces = namespacesIn(tools);
  // A library module keeps its name: `json.query` is a tool all the same where there is one.
  const isSpace = (name: string): boolean => isNamespace(tools, name) && !universe.has(name);
  return {
    options: plan,
    predeclared: (name) => named.has(name) || inputs.includes(name) || isSpace(name),
    universal: (name) => universe.has(name),
    names: [...named.keys(), ...spaces, ...inputs, ...universe],
  };
}

/** What a file is compiled with of what the host gives. */
export const hostNames = (
  environment: Environment,
): Pick<ModuleContext, 'predeclared' | 'hasConversation'> => ({
  predeclared: predeclaredValue(environment),
  hasConversation: environment.inputs.includes(conversationInput),
});

/**
 * What a name of the host stands for in code, with dots in it where it is one of a namespace;
 * undefined for an input, which is a variable: who gives one means it, whatever tools there are.
 */
function predeclaredValue(environment: Environment): (name: string) => Value | undefined {
  const { tools, inputs } = environment;
  const named = writable(tools);
  return (name) => {
    const root = name.split('.', 1)[0] ?? name;
    const spec = inputs.includes(root) ? undefined : named.get(name);
    return spec && tool(spec.name);
  };
}

/** Says which tools there are where something is called that is none, and what may be an input. */
export function adviseOnNames(
  found: readonly Diagnostic[],
  source: string,
  { tools }: Environment,
): Diagnostic[] {
  const lines = source.split('\n');
  const called = callable(tools);
  return found.map((one) => {
    const rest = lines[one.line - 1]?.slice(one.column - 1) ?? '';
    const { unknown, ...known } = one;
    if (unknown === undefined) return one;
    const withheld = withheldTool(tools, /^[\p{XIDC}.]+/u.exec(rest)?.[0] ?? '');
    if (withheld) return { ...known, hint: notAllowed(withheld.name) };
    if (/^\p{XIDC}+\(/u.test(rest)) {
      return called.size > 0 ? { ...one, hint: unknownToolHint(called, unknown) } : one;
    }
    const isGuessed = one.message.includes('did you mean');
    const isNamespace = /^\p{XIDC}+\.[\p{XIDC}.]+\(/u.test(rest);
    return isGuessed || isNamespace ? one : { ...one, hint: inputHint(unknown) };
  });
}
