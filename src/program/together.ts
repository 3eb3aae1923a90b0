/** Whether what tools declare of each other (`ToolSpec`) can be kept by this set of them. Pure. */
import { nearest } from './diagnostic.ts';
import { mandatory, type ToolSpec } from './effect.ts';

export interface TogetherProblem {
  /** The tool whose declaration is wrong. */
  readonly tool: string;
  /** `after: there is no tool NodStatus`. */
  readonly message: string;
  readonly hint: string | undefined;
}

type Tools = ReadonlyMap<string, ToolSpec>;

/** In the order of the tools; empty where all is well. */
export function togetherProblems(tools: Tools): TogetherProblem[] {
  return [...tools.values()].flatMap((spec) => [
    ...unknownNames(spec, tools),
    ...circle(spec, tools),
    ...alternativeProblems(spec, tools),
  ]);
}

function unknownNames(spec: ToolSpec, tools: Tools): TogetherProblem[] {
  return (['after', 'alternatives', 'conflicts'] as const).flatMap((member) =>
    (spec[member] ?? []).flatMap((name): TogetherProblem[] => {
      if (tools.has(name)) return [];
      const meant = nearest(name, tools.keys());
      const hint =
        meant === undefined ? 'name one of the tools there are' : `did you mean ${meant}?`;
      return [{ tool: spec.name, message: `${member}: there is no tool ${name}`, hint }];
    }),
  );
}

/** A tool that has to come after itself can never be called. */
function circle({ name }: ToolSpec, tools: Tools): TogetherProblem[] {
  const seen = new Set<string>();
  const queue = [...(tools.get(name)?.after ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next === name) {
      const hint = 'nothing could ever be called first: leave one of them out';
      return [{ tool: name, message: 'after: it would have to come after itself', hint }];
    }
    if (!seen.has(next)) queue.push(...(tools.get(next)?.after ?? []));
    seen.add(next);
  }
  return [];
}

function alternativeProblems(spec: ToolSpec, tools: Tools): TogetherProblem[] {
  const problem = (message: string, hint: string): TogetherProblem => ({
    tool: spec.name,
    message: `alternatives: ${message}`,
    hint,
  });
  const { alternatives = [] } = spec;
  const twice = 'what has failed may have happened, and must not happen a second time';
  if (spec.effect === 'write' && alternatives.length > 0) return [problem('it writes', twice)];
  return alternatives.flatMap((name): TogetherProblem[] => {
    const other = tools.get(name);
    if (!other) return [];
    if (name === spec.name) return [problem('it cannot stand in for itself', 'raise its attempts')];
    if (other.effect === 'write') return [problem(`${name} writes`, twice)];
    const known = Object.keys(spec.parameters.properties ?? {});
    const lacking = [...mandatory(other), ...(other.requires ?? [])].filter(
      (parameter) => !known.includes(parameter),
    );
    if (lacking.length === 0) return [];
    const hint = 'it gets the arguments of the tool that it stands in for, by their names';
    return [problem(`${name} needs ${lacking.join(', ')}, which ${spec.name} does not have`, hint)];
  });
}
