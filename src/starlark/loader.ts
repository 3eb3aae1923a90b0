/** The modules of load statements, as the host gives them. */
import type { Loaded, Loader } from '../dialects/starlark/compile/linker.ts';
import { parse } from '../dialects/starlark/parse/parser.ts';
import type { HostInput } from './host-value.ts';
import {
  type EvaluateOptions,
  entriesOf,
  type LoadedModule,
  type LoadModule,
  type Names,
  optionsOf,
  resolveFile,
} from './static.ts';

/** What the host gives goes to `initial`, under names of variables that no program has. */
export function loaderFor(given: EvaluateOptions, initial: Map<string, HostInput>): Loader {
  const known = new Map<string, Loaded>();
  const files = new Map<string, Loaded>();
  const find = (name: string, from: string): Loaded => {
    const found = ask(given.load, name, from);
    if ('error' in found) return { kind: 'error', message: found.error };
    if ('globals' in found) return variables(name, found.globals, initial);
    const file = found.file ?? name;
    const made = files.get(file) ?? moduleOf(file, found, given, initial);
    files.set(file, made);
    return made;
  };
  return (name, from) => {
    const key = JSON.stringify([name, from]);
    const loaded = known.get(key) ?? find(name, from);
    known.set(key, loaded);
    return loaded;
  };
}

function ask(load: LoadModule | undefined, name: string, from: string): LoadedModule {
  if (!load) return { error: 'there are no modules to load' };
  try {
    return load(name, from);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function variables(module: string, globals: Names, initial: Map<string, HostInput>): Loaded {
  const slots = entriesOf(globals).map(([name, input]) => {
    const slot = `values of ${module}:${name}`;
    initial.set(slot, input);
    return [name, slot] as const;
  });
  return { kind: 'variables', slots: new Map(slots) };
}

function moduleOf(
  name: string,
  found: Extract<LoadedModule, { source: string }>,
  given: EvaluateOptions,
  initial: Map<string, HostInput>,
): Loaded {
  const { source, predeclared = given.predeclared ?? {} } = found;
  const options = { ...optionsOf(given), ...found.options };
  const { file, errors } = parse(source, options);
  const problems = file ? resolveFile(file, options, name, { ...given, predeclared }) : errors;
  const [first] = problems;
  if (!file || first) {
    const place = `${name}:${first?.line}:${first?.column}`;
    return { kind: 'error', message: `${place}: ${first?.message}` };
  }
  const variable = (own: string): string => `predeclared in ${name}:${own}`;
  for (const [own, input] of entriesOf(predeclared)) initial.set(variable(own), input);
  return { kind: 'file', name, file, options, predeclared: () => undefined, variable };
}
