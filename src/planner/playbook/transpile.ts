/**
 * The effects of the control loop `loops/transpile.star`: a model proposes steps for the lines of
 * playbooks, and code alone verifies them. What comes of it is a file that a person reviews.
 */
import { z } from 'zod';
import { type ProposedStep, verifyProposal } from '../../dialects/playbook/check/proposal.ts';
import type { CompiledFile } from '../../dialects/playbook/compiled.ts';
import { printCompiled } from '../../dialects/playbook/pbasm/print.ts';
import { lineNumber } from '../../dialects/playbook/pbasm/read.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import type { Model } from '../../effects/model/model.ts';
import type { Handler } from '../../engine/handler.ts';
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { asItIs, readData } from '../loop-data.ts';
import { modelHandler } from '../model-effect.ts';
import { isOpen, stepsPrompt } from './transpile-prompt.ts';

/** What is compiled, as the input variable `task` has it. */
export interface TranspileTask {
  /** The text of the playbooks, as a person wrote it. */
  readonly text: string;
  /** Tools that lines may call. */
  readonly tools: readonly Pick<ToolSpec, 'name' | 'aliases' | 'description' | 'parameters'>[];
}

const taskParameter = { type: 'object', description: 'The input variable task, as it is.' };
const replyParameter = { type: 'string', description: 'What the model wrote.' };

const proposeSpec = toolSpec({
  name: 'propose_steps',
  description:
    'Makes the conversation that asks a model for the steps of playbooks: {"messages"}, a list ' +
    'of dicts with role and content.',
  effect: 'pure',
  parameters: { type: 'object', properties: { task: taskParameter }, required: ['task'] },
});

const verifySpec = toolSpec({
  name: 'verify_steps',
  description:
    'Reads the steps in a reply and checks them. Returns {"compiled", "problems"}: the compiled ' +
    'playbooks, in which a line whose steps do not hold is as it is written, and texts that say ' +
    'why.',
  effect: 'pure',
  parameters: {
    type: 'object',
    properties: { task: taskParameter, reply: replyParameter },
    required: ['task', 'reply'],
  },
});

/** The effects of the loop by name: `propose_steps`, `model`, `verify_steps`. */
export function transpileHandlers(model: () => Model): Map<string, Handler> {
  const propose: Handler = {
    spec: proposeSpec,
    perform: async ({ task: data }) => {
      const task = readTask(data);
      return { messages: stepsPrompt(compiledOfTask(task), task.tools.map(toolSpec)) };
    },
  };
  const verify: Handler = {
    spec: verifySpec,
    perform: async ({ reply, task }) => verified(readTask(task), String(reply)),
  };
  const handlers = [propose, modelHandler(model), verify];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}

const shape = z.object({
  text: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      aliases: z.array(z.string()).default([]),
      description: z.string(),
      parameters: z.record(z.string(), z.json()),
    }),
  ),
});

const readTask = (data: unknown): TranspileTask => readData(shape, data, 'a task', asItIs('task'));

const compiledOfTask = ({ text, tools }: TranspileTask): CompiledFile =>
  compiledOf(readTree(text).tree, tools.map(toolSpec));

/** Whether a model has anything to say of playbooks. */
export const hasOpenLines = (task: TranspileTask): boolean =>
  compiledOfTask(task).agents.some(({ playbooks }) => playbooks.some(isOpen));

function verified({ text, tools }: TranspileTask, reply: string) {
  const { steps, strange } = readSteps(reply);
  const { file } = readTree(text).tree;
  const { compiled, problems } = verifyProposal(file, steps, tools.map(toolSpec));
  return { compiled: printCompiled(compiled), problems: [...strange, ...problems] };
}

const stepForm = /^(?:[-*=]\s+)?(\d+(?:\.\d+)*)\.?:?([>\s]*)([A-Za-z]{3})\b\??:?\s*(?!\s)(.*)$/;
const headForm = /^##?\s*([\p{XIDC}.]+)/u;

/** The steps of a reply by playbook, and rows that are none. */
function readSteps(reply: string): {
  readonly steps: ReadonlyMap<string, readonly ProposedStep[]>;
  readonly strange: readonly string[];
} {
  const steps = new Map<string, ProposedStep[]>();
  const strange: string[] = [];
  let current: ProposedStep[] | undefined;
  for (const row of reply.split('\n').map((line) => line.trim())) {
    const [, playbook] = headForm.exec(row) ?? [];
    const [, line, levels = '', code = '', text = ''] = stepForm.exec(row) ?? [];
    if (playbook !== undefined) {
      current = steps.get(playbook) ?? [];
      steps.set(playbook, current);
    } else if (line !== undefined) {
      const depth = levels.replaceAll(/\s/g, '').length;
      if (current) current.push({ line: lineNumber(line), depth, code: code.toUpperCase(), text });
      else strange.push(`got ${row} under no heading, want ## and the name of its playbook before`);
    } else if (row !== '' && !/^(?:```|###)/.test(row)) {
      strange.push(`got ${row.slice(0, 80)}, want a step, such as 01 EXE Greet them`);
    }
  }
  return { steps, strange };
}
