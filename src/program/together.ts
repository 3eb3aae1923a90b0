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

// A description may say that its tool comes before all others, where no declaration does. The
// machine then has calls that stand after one of it wait for it; it never calls it by itself.

const aCall = '(?:you\\s+)?(?:call|use|run|invok|execut|us|runn)(?:e?s|ing|e)?\\s+';
const allOf = '(?:(?:any|all|every|each)\\s+(?:of\\s+)?)';
const comesFirst = new RegExp(
  [
    `\\b(?:before|prior to|ahead of)\\s+(?:${aCall})?(?:${allOf}?(?:the\\s+)?other\\s+` +
      `(?:tool|call|function|action|operation)s?|${allOf}(?:the\\s+)?others|` +
      '(?:any|every)thing\\s+else)\\b',
    `\\bbefore\\s+${aCall}${allOf}(?:the\\s+)?(?:tool|function)s?\\b`,
    '\\b(?:call|use|run|invoke|execute)\\s+(?:this|it)(?:\\s+(?:tool|function))?\\s+first\\b',
    '\\b(?:be|is|always)\\s+(?:called|used|run|invoked|executed)\\s+first\\b',
    '\\b(?:be|is|as)\\s+(?:your|the)\\s+(?:very\\s+)?first\\s+(?:tool|call|function)\\b',
  ].join('|'),
  'i',
);

/** Machines are made by the thousand, of the same tools. */
const known = new WeakMap<ToolSpec, string | null>();

/** The sentence of a description that says so; undefined where none does. */
export function firstWords(spec: ToolSpec): string | undefined {
  let found = known.get(spec);
  if (found === undefined) {
    found = sentenceIn(spec) ?? null;
    known.set(spec, found);
  }
  return found ?? undefined;
}

function sentenceIn({ name, description }: ToolSpec): string | undefined {
  const sentences = description.split(/(?<=[.!?])\s+|\n+/);
  return sentences.find((sentence) => {
    const before = sentence.slice(0, comesFirst.exec(sentence)?.index ?? 0);
    const isAboutOther = [...before.matchAll(otherTool)].some(([, other]) => other !== name);
    return comesFirst.test(sentence) && !isAboutOther && !isDenied.test(before);
  });
}

/** A tool that is named where one is called: its name has a capital within, a dot or a line. */
const otherTool =
  /\b(?:[Cc]all|[Uu]se|[Rr]un|[Ii]nvoke|[Ee]xecute)\s+[`"']?(\w*[a-z\d][._A-Z][\w.]*)/g;
const isDenied = /\b(?:not|never|no need|cannot|without)\b|n't\b/i;

/** The tools that come before all others. */
export const leadingTools = (tools: Tools): ReadonlySet<string> =>
  new Set([...tools.values()].flatMap((spec) => (firstWords(spec) ? [spec.name] : [])));
