/**
 * Worked examples for a set of tools, made of their schemas: they show the form with the names and
 * types that there are, and no facts. A test holds each against the checker.
 */
import { exampleValue } from '../../dialects/example-arguments.ts';
import { taskText } from '../../dialects/llmcompiler/describe.ts';
import { type JsonSchema, mandatory, type ToolSpec } from '../../program/effect.ts';
import type { SampleWords, Words } from './words.ts';

/** A plan of two calls that run side by side, and one of both results where a tool takes them. */
export function samplePlan(specs: readonly ToolSpec[], words: Words, firstId = 1): string {
  const { samples } = words.plan;
  const usable = specs.filter(({ effect, ordered }) => effect !== 'write' && !ordered);
  const reader =
    usable.find(canTake) ?? usable.find((spec) => requiredOf(spec).length > 0) ?? usable[0];
  const lines = [words.question(samples.ask)];
  let id = firstId;
  const add = (thought: string, action: string): number => {
    lines.push(`Thought: ${thought}`, `${id}. ${action}`);
    return id++;
  };
  if (reader) {
    const byName = new Map(specs.map((spec) => [spec.name, spec]));
    for (const name of reader.after ?? []) {
      const before = byName.get(name);
      if (before) add(samples.first, sampleCall(before, samples, 1));
    }
    const first = add(samples.independent, sampleCall(reader, samples, 1));
    const taker = usable.find((spec) => spec !== reader && canTake(spec)) ?? reader;
    if (requiredOf(reader).length > 0) {
      const second = add(samples.independent, sampleCall(reader, samples, 2));
      if (canTake(taker) && !taker.after?.length) {
        add(samples.dependent, sampleCall(taker, samples, 1, [first, second]));
      }
    }
  }
  lines.push(`Thought: ${samples.last}`, `${id}. join()`, '<END_OF_PLAN>');
  return lines.join('\n');
}

/** One call and the end, as one action at a time is written. */
export function sampleActions(specs: readonly ToolSpec[], words: Words): string {
  const { sampleThought, sampleLast, sampleAnswer, observation } = words.act;
  const [reader] = specs.filter(({ effect }) => effect !== 'write');
  const call = reader && sampleCall(reader, words.plan.samples, 1);
  return [
    words.question(words.plan.samples.ask),
    ...(call
      ? [`Thought: ${sampleThought}`, `Action: ${call}`, `Observation: ${observation}`]
      : []),
    `Thought: ${sampleLast}`,
    `Action: Finish[${sampleAnswer}]`,
  ].join('\n');
}

/** `name[…]` with its required arguments; the first text is made of results where there are any. */
function sampleCall(
  spec: ToolSpec,
  words: SampleWords,
  number: number,
  results: readonly number[] = [],
): string {
  let isTaken = results.length === 0;
  const args = requiredOf(spec).map(([name, schema]) => {
    if (!isTaken && isText([name, schema])) {
      isTaken = true;
      return JSON.stringify(words.from(name, results));
    }
    const value = exampleValue(name, schema, { number, text: (key) => words.text(key, number) });
    return taskText(value ?? words.text(name, number));
  });
  return `${spec.name}[${args.join(', ')}]`;
}

type Parameter = readonly [name: string, schema: JsonSchema];

/** Up to the last one that is required, so that positions say which is which. */
function requiredOf(spec: ToolSpec): Parameter[] {
  const required = mandatory(spec);
  const all = Object.entries(spec.parameters.properties ?? {});
  const last = all.findLastIndex(([name]) => required.includes(name));
  return all.slice(0, last + 1);
}

const canTake = (spec: ToolSpec): boolean => requiredOf(spec).some(isText);

/** Free text, of which an example may make anything. */
const isText = ([, { type = 'string', format, pattern, enum: values }]: Parameter): boolean =>
  type === 'string' && format === undefined && pattern === undefined && values === undefined;
