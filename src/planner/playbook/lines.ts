/**
 * The effects of the control loop `loops/lines.star`: a model is asked what lines of playbooks mean
 * that the compiler leaves open, and what it says is verified by the compiler. Nothing else of a
 * playbook is shown to be changed, and nothing else can be.
 */
import { z } from 'zod';
import { settle } from '../../dialects/playbook/check/settle.ts';
import type { CompiledAgent, CompiledFile } from '../../dialects/playbook/compiled/compiled.ts';
import { graphOf } from '../../dialects/playbook/compiled/graph.ts';
import { printCompiled, stepText } from '../../dialects/playbook/pbasm/print.ts';
import { readCompiled } from '../../dialects/playbook/pbasm/read-compiled.ts';
import { readCode } from '../../dialects/playbook/source/code.ts';
import {
  type OpenLine,
  openLines,
  type SettleProblem,
} from '../../dialects/playbook/steps/open/settle.ts';
import { withBlock } from '../../dialects/playbook/text/blocks.ts';
import type { Message, Model } from '../../effects/model/model.ts';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import type { JsonNode } from '../../program/json-node.ts';
import { readObject } from '../../program/model-text.ts';
import { modelHandler } from '../model-effect.ts';
import { openLinesSpec, settleLinesSpec } from './specs.ts';

/** What is to be settled, as the input variable `task` has it. */
export interface LinesTask {
  /** As `planvm compile` prints it. */
  readonly compiled: string;
  /** Tools that steps may call, with what is said of them. */
  readonly tools: readonly LinesTool[];
}

interface LinesTool {
  readonly name: string;
  readonly about: string;
  /** An object schema. */
  readonly parameters: JsonSchema;
}

const specOf = ({ name, about, parameters }: LinesTool): ToolSpec =>
  toolSpec({ name, description: about, parameters });

/** What is made of a reply. */
export interface Settling {
  readonly ok: boolean;
  /** The compiled text with all that has held so far. */
  readonly compiled: string;
  /** Lines that are still open because what was said of them does not hold. */
  readonly report: string;
}

interface Conversation {
  readonly messages: readonly Message[];
  readonly schema: JsonSchema;
  /** The names of the open lines. */
  readonly open: readonly string[];
}

/** The effects of the loop by name: `open_lines`, `model`, `settle_lines`. */
export function linesHandlers(model: () => Model): Map<string, Handler> {
  const handlers: Handler[] = [
    { spec: openLinesSpec, perform: async ({ task }) => ({ ...conversation(readTask(task)) }) },
    modelHandler(model),
    {
      spec: settleLinesSpec,
      perform: async ({ task, reply }) => ({ ...settled(readTask(task), String(reply)) }),
    },
  ];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}

const form =
  'Answer with one JSON object: for each line that was asked for, by its name, a list of steps. ' +
  'A step is a text: a code, a blank, and what is done. Blocks are indented by two blanks.';

const codesText = [
  'EXE $x = what it is, or what is to be done by the model itself',
  'QUE $x = Callee($a, b="text"), or QUE Callee() without a result',
  'QUE Say(user, what to say), or Say(user, "the words") where the line has them in quotes',
  'CND If …, with its steps under it; ELS Otherwise; LOP For each $x in $y, or LOP While …',
  'JMP break, which leaves the loop that the line is in, or JMP continue, to its next round; ' +
    'JMP 02, where the line says that all is to go on again at that line of its playbook',
  'RET $x; TNK what to think about; YLD for exit, which ends the program',
  'YLD for user, YLD for timer 5 minutes, YLD for event paid, of which the program is told from ' +
    'outside: where a line is there to wait, and for nothing that only takes its time in a talk',
].map((line) => `- ${line}`);

const schema: JsonSchema = {
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
};

/** What a model is asked, and how; the same for tasks that it need not tell apart. */
export function conversation(task: LinesTask): Conversation {
  const file = compiledIn(task);
  const open = openLines(file);
  const system = [
    'You say what lines of playbooks mean, as steps of a compiler. You see playbooks whose lines ' +
      'have codes; those with a ? are open. Say for each open line which steps it stands for: a ' +
      'call where it means one of the playbooks, functions or tools, a message where something ' +
      'is to be said or asked, a value where one is set. What a model has to do itself, by ' +
      'judgement, is one EXE step in the words of the line.',
    ['The codes:', ...codesText].join('\n'),
    'Invent no playbook, function, tool or variable, no words in quotes, values, times or ' +
      'events. Add nothing that the line does not say, and leave none of its variables out. ' +
      'Every step has to be come to on some way, and some way to lead to the end. Steps that ' +
      'wait for calls and answers (YLD) are set by the compiler.',
    ...(task.tools.length === 0 ? [] : [['The tools:', ...task.tools.map(toolLine)].join('\n')]),
    form,
  ];
  const lines = open.map(({ at, block, text }) => withBlock(`- ${at}: ${text}`, block));
  const messages: Message[] = [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: [...texts(file), `Open lines:\n${lines.join('\n')}`].join('\n\n') },
  ];
  return { messages, schema, open: open.map(({ at }) => at) };
}

const toolLine = ({ name, about, parameters }: LinesTool): string =>
  `- ${name}(${Object.keys(parameters.properties ?? {}).join(', ')}): ${about}`;

/** Every playbook that has an open line, the headings of all others, and the agents' functions. */
function texts({ agents }: CompiledFile): string[] {
  return agents.flatMap((agent) => [
    ...agent.playbooks.map(({ name, written, parameters, description, steps }) => {
      const head = `## ${agent.name}.${name}(${parameters.map((one) => one.name).join(', ')})`;
      const all = [...graphOf(steps).steps.values()];
      const shown = all.some(({ isAmbiguous }) => isAmbiguous)
        ? all.map((step) => withBlock(stepText(step), step.block))
        : [];
      return [`${head} — ${written}. ${description}`.trim(), ...shown].join('\n');
    }),
    ...functionsOf(agent),
  ]);
}

function functionsOf({ code, name }: CompiledAgent): string[] {
  const all = code.flatMap((block) => readCode(block).functions);
  const functions = all.filter((one) => !one.name.startsWith('_'));
  if (functions.length === 0) return [];
  const lines = functions.map(({ about, name: own, parameters }) =>
    `- ${own}(${parameters.join(', ')}): ${about}`.replace(/: $/, ''),
  );
  return [`Functions of ${name}:\n${lines.join('\n')}`];
}

/** The compiled text with what replies have said of it, one after the other. */
export const settledBy = (task: LinesTask, replies: readonly string[]): string =>
  replies.reduce(
    (compiled, reply) => settled({ ...task, compiled }, reply).compiled,
    task.compiled,
  );

function settled(task: LinesTask, reply: string): Settling {
  const { node, error } = readObject(reply);
  if (!node) {
    const why = error?.message ?? 'got no object';
    return { ok: false, compiled: task.compiled, report: `${why}. ${form}` };
  }
  const answers = new Map(node.members.map(({ key, value }) => [key.trim(), stepsIn(value)]));
  const { file, problems } = settle(compiledIn(task), answers, task.tools.map(specOf));
  const missing = openLines(compiledIn(task)).flatMap(({ at }) =>
    answers.has(at) ? [] : [{ at, message: 'nothing was said of it' }],
  );
  const all = [...problems, ...missing];
  const names = namesNow(openLines(compiledIn(task)), openLines(file), all);
  const report = all.map(({ at, message }) => {
    const name = names.get(at);
    return name === undefined ? `among what was said: ${message}` : `${name}: ${message}`;
  });
  return { ok: all.length === 0, compiled: printCompiled(file), report: report.join('\n') };
}

/** By the names that open lines had, those of them now: steps before them have been put in. */
function namesNow(
  before: readonly OpenLine[],
  now: readonly OpenLine[],
  problems: readonly SettleProblem[],
): ReadonlyMap<string, string> {
  const left = new Set(problems.map(({ at }) => at));
  const stayed = before.filter(({ at }) => left.has(at));
  return new Map(stayed.map(({ at }, order) => [at, now[order]?.at ?? at]));
}

const stepsIn = (value: JsonNode): readonly string[] => {
  if (value.kind === 'array') return value.items.flatMap(stepsIn);
  return value.kind === 'string' ? String(value.value).split('\n') : [];
};

const compiledIn = ({ compiled }: LinesTask): CompiledFile => readCompiled(compiled).compiled;

const shape = z.object({
  compiled: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      about: z.string(),
      parameters: z.record(z.string(), z.json()),
    }),
  ),
});

function readTask(data: unknown): LinesTask {
  const read = shape.safeParse(data);
  if (read.success) return read.data;
  throw new EffectFailure('PV7006', `got a task of another form: ${z.prettifyError(read.error)}`, {
    hint: 'hand on the input variable task as it is',
    mayHaveActed: false,
  });
}
