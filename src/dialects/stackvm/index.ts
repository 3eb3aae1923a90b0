/** The dialects stackvm-1 and stackvm-2: plans as JSON lists of instructions. */
import { readModelJson } from '../../text/json-text.ts';
import type { CompiledLanguage, Dialect } from '../dialect.ts';
import { describePlan } from './describe.ts';
import { stackvm1Language, stackvm2Language } from './language.ts';
import { planParts } from './parts.ts';
import { answerName, type DialectName, formOf, type Plan } from './plan.ts';
import { replySchemaOf } from './schema.ts';
import { escaped } from './template.ts';

export { codes } from './codes.ts';
export { dialectNames } from './instructions.ts';
export { schemaOf } from './schema.ts';
export type { Plan };

export const stackvm1: Dialect<Plan> = dialectOf(
  'stackvm-1',
  stackvm1Language,
  'JSON instructions with conditions that have branches and references as {{x}} or {"var": "x"}.',
);

export const stackvm2: Dialect<Plan> = dialectOf(
  'stackvm-2',
  stackvm2Language,
  'JSON instructions with jumps, calls of any tool and references as ${x}.',
);

function dialectOf(
  name: DialectName,
  language: CompiledLanguage<Plan>,
  about: string,
): Dialect<Plan> {
  return {
    ...language,
    about,
    describe: (environment) => describePlan(name, environment),
    fence: 'json',
    replySchema: replySchemaOf(name),
    answering: (words) => answeringPlan(name, words),
    answerHint: `rename the last output to ${answerName}`,
    find: findPlan,
    parts: planParts,
  };
}

function answeringPlan(name: DialectName, words: string): string {
  const value = escaped(words, formOf(name));
  const instruction =
    name === 'stackvm-1'
      ? { parameters: { value, var_name: answerName } }
      : {
          parameters: { [answerName]: value },
          execution_objective: 'Answer in words, without a program.',
        };
  return `${JSON.stringify([{ seq_no: 0, type: 'assign', ...instruction }])}\n`;
}

/** A list that is cut short or broken is a plan with errors, so the reply is one then. */
function findPlan(reply: string): string | undefined {
  const { node } = readModelJson(reply, 'array');
  if (node) return reply.slice(node.start, node.end);
  return /[[{]/.test(reply) ? reply : undefined;
}
