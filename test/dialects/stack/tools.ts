/** The helpers of the programs in these tests, and a world in which they answer. */
import type { Environment } from '../../../src/dialects/dialect.ts';
import { checkProgram } from '../../../src/dialects/index.ts';
import { type JsonSchema, type ToolSpec, toolSpec } from '../../../src/program/effect.ts';
import type { Program } from '../../../src/program/program.ts';
import { drive, type Policy, type Run } from '../../golden/drive.ts';

const text: JsonSchema = { type: 'string' };

function tool(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  more: Partial<ToolSpec> = {},
  required: readonly string[] = Object.keys(properties),
): ToolSpec {
  const parameters = { type: 'object', properties, required };
  return {
    ...toolSpec({ name, description: `Does ${name}.`, effect: 'read', parameters }),
    ...more,
  };
}

export const tools: readonly ToolSpec[] = [
  tool(
    'linkedin.find',
    { first_name: text, last_name: text, company_name: text },
    { aliases: ['WebHelpers.search_linkedin_profile'] },
    ['first_name', 'last_name'],
  ),
  tool('web.get', { url: text }, { aliases: ['WebHelpers.get_url'] }),
  tool('news.search', { query: text, total: { type: 'integer' } }, {}, ['query']),
  tool('mail.send', { to: text, body: text }, { effect: 'write', idempotent: false }),
  tool('any', { x: {} }),
  tool('bind_arguments', { expr: {}, helper: text, wanted: {} }, { kind: 'model' }),
  tool('llm_list_bind', { expr: {}, instruction: text }, { kind: 'model' }),
  tool('llm_call', { values: {}, instruction: text, sources: {} }, { kind: 'model' }),
];

export const environment = (...inputs: string[]): Environment => ({
  tools: new Map(tools.map((spec) => [spec.name, spec])),
  inputs,
});

/** Checks a text as a program of the dialect. */
export const check = (source: string, ...inputs: string[]) =>
  checkProgram(source, environment(...inputs), { dialect: 'stack' });

/** What is said of a text: codes with their places. */
export const said = (source: string, ...inputs: string[]): string[] =>
  check(source, ...inputs).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);

const plainly: Policy = { fuel: () => 100_000, pick: () => 0, eager: () => false };

/** Runs a program whose effects answer with their own names and arguments. */
export function run(program: Program, outcome = echoed): Run {
  const script = {
    tools: environment().tools,
    inputs: new Map(),
    outcome: ({ tool: name, args }: { tool: string; args: string }) => ({
      ok: true as const,
      value: JSON.stringify(outcome(name, JSON.parse(args))),
    }),
  };
  return drive([program], script, plainly);
}

function echoed(name: string, args: Readonly<Record<string, unknown>>): unknown {
  if (name === 'llm_list_bind') return String(args.expr).split(', ');
  if (name === 'bind_arguments') return found(args);
  if (name !== 'llm_call') return `${name}(${Object.values(args).join(', ')})`;
  const { values, instruction } = args as { values: unknown[]; instruction: string };
  return `${instruction}: ${values.map((value) => JSON.stringify(value)).join(' & ')}`;
}

/** The answers of a program, which has to be one. */
export function answersOf(source: string): string[] {
  const { program, diagnostics } = check(source);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const { result } = run(program);
  const lines = result.split('\n');
  if (lines[0] !== 'done') throw new Error(result);
  return lines.flatMap((line) => /^answer (.*) at step/.exec(line)?.[1] ?? []);
}

/** What a model finds: a first and a last name where there are two. */
function found({ expr, helper, wanted }: Readonly<Record<string, unknown>>): unknown {
  const words = (Array.isArray(expr) ? expr : String(expr).split(' ')).map(String);
  const names = ['first_name', 'last_name'].map((name, i) => [name, words[i]] as const);
  const args = Object.fromEntries(names.filter(([, word]) => word !== undefined));
  const missing = (wanted as string[]).filter((name) => args[name] === undefined);
  if (missing.length === 0) return { args };
  return { unresolved: { helper, args, missing, question: `What is the ${missing[0]}?` } };
}
