/** `ask`: a question of the program to a person. The engine waits; this says what an answer is. */
import { type EffectFailure, type Handler, type Question, refusal } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import { askSpec } from './spec.ts';

export const askHandler: Handler = {
  spec: askSpec,
  async wait(args) {
    return { for: 'person', question: await questionOf(args) };
  },
  async perform() {
    throw refusal('PV4502', 'ask: there is no run here that could wait for an answer', {
      hint: 'call it in a program',
    });
  },
};

/** Reads the arguments of `ask`. Throws `EffectFailure` PV4501. */
async function questionOf(args: Readonly<Record<string, unknown>>): Promise<Question> {
  const { question, choices, schema, timeout, to } = args;
  if (Array.isArray(choices) && choices.length === 0) throw unanswerable('choices: got none');
  const check = checkOf(
    Array.isArray(choices) ? choices : undefined,
    isSchema(schema) ? await schemaCheck(schema) : undefined,
  );
  const hasDefault = args.default !== undefined;
  const problem = hasDefault ? await check(args.default) : undefined;
  if (problem !== undefined) throw unanswerable(`default: ${problem}`);
  return {
    text: String(question),
    ...(typeof to === 'string' && { to }),
    ...(Array.isArray(choices) && { choices }),
    ...(isSchema(schema) && { schema }),
    ...(hasDefault && { default: { value: args.default } }),
    ...(typeof timeout === 'number' && { timeoutMs: Math.ceil(timeout * 1000) }),
    check,
  };
}

type Check = Question['check'];

function checkOf(choices: readonly unknown[] | undefined, schema: Check | undefined): Check {
  return (answer) => {
    if (choices) {
      const text = stringify(answer);
      const isOne = choices.some((choice) => stringify(choice) === text);
      if (!isOne)
        return `got ${text}, want one of ${choices.map((one) => stringify(one)).join(', ')}`;
    }
    if (schema) return schema(answer);
    const isText = typeof answer === 'string';
    return choices || isText ? undefined : `got ${stringify(answer)}, want a text`;
  };
}

const isSchema = (schema: unknown): schema is Readonly<Record<string, unknown>> =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema);

async function schemaCheck(schema: Readonly<Record<string, unknown>>): Promise<Check> {
  const { compileAnswerSchema } = await import('../json-schema.ts');
  try {
    return await compileAnswerSchema(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw unanswerable(`schema: it is no JSON Schema: ${reason}`);
  }
}

const unanswerable = (problem: string): EffectFailure =>
  refusal('PV4501', `nobody can answer this: ${problem}`, {
    hint: 'correct the question in the program',
  });
