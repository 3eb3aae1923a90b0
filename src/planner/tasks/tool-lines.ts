/** The tools of a run as planners are told of them: all that their declarations say. */
import { exampleCall } from '../../dialects/llmcompiler/example.ts';
import { typeOf } from '../../dialects/signature.ts';
import { type JsonSchema, mandatory, type ToolSpec } from '../../program/effect.ts';
import { firstWords } from '../../program/together.ts';
import type { ToolWords, Words } from './words.ts';

/** Calls in the brackets of the notation: `(1) search[query, top]: Looks something up.` */
export function toolLines(specs: readonly ToolSpec[], { tools: words }: Words): string {
  if (specs.length === 0) return words.none;
  const lines = specs.map((spec, i) => `(${i + 1}) ${aboutTool(spec, words)}`);
  return [words.heading, ...lines].join('\n');
}

function aboutTool(spec: ToolSpec, words: ToolWords): string {
  const names = Object.keys(spec.parameters.properties ?? {});
  const head = `${spec.name}[${names.join(', ')}]: ${spec.description}`;
  const call = exampleCall(spec);
  const details = [
    ...parameterLines(spec, words),
    ...togetherLines(spec, words),
    ...(call === undefined ? [] : [words.example(call)]),
  ];
  return [head, ...details.map((line) => `    - ${line}`)].join('\n');
}

function parameterLines(spec: ToolSpec, words: ToolWords): string[] {
  const { properties = {} } = spec.parameters;
  const required = mandatory(spec);
  return Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const notes = [
      typeWords(schema, words),
      isRequired && !spec.requires?.includes(name) ? words.required : words.optional,
      ...(schema.default === undefined ? [] : [words.standard(JSON.stringify(schema.default))]),
    ];
    const about = schema.description === undefined ? '' : `: ${schema.description}`;
    return `${name} (${notes.filter((note) => note !== 'any').join(', ')})${about}`;
  });
}

function typeWords(schema: JsonSchema, words: ToolWords): string {
  if (!schema.enum) return typeof schema.format === 'string' ? schema.format : typeOf(schema);
  return words.oneOf(schema.enum.map((value) => JSON.stringify(value)).join(', '));
}

/** The good practices that a tool declares. */
function togetherLines(spec: ToolSpec, words: ToolWords): string[] {
  const { after = [], requires = [], returns, alternatives = [], conflicts = [], limits } = spec;
  const calls = limits?.callsPerRun;
  const line = (names: readonly string[], say: (names: string) => string): string[] =>
    names.length === 0 ? [] : [say(names.join(', '))];
  return [
    ...(returns ? [words.returns(typeOf(returns))] : []),
    ...(firstWords(spec) ? [words.first] : []),
    ...line(after, words.after),
    ...line(requires, words.requires),
    ...line(alternatives, words.alternatives),
    ...line(conflicts, words.conflicts),
    ...(calls === undefined ? [] : [words.calls(calls)]),
    ...(spec.effect === 'write' ? [words.writes] : []),
  ];
}
