/**
 * What the control loop `loops/plan.star` needs of the world to get from a goal to a program that
 * passes `check`: a conversation to begin with, a model, and the checker. The rounds are the
 * loop's; nothing of the program is run in here.
 */

import { renderAll } from '../dialects/diagnostic.ts';
import type { Checked, Environment } from '../dialects/dialect.ts';
import { type AnyDialect, checkProgram, detect } from '../dialects/index.ts';
import { programInReply } from '../dialects/reply.ts';
import type { Handler } from '../engine/handler.ts';
import type { Diagnostic } from '../program/diagnostic.ts';
import { opcodeAt } from '../program/opcodes.ts';
import type { Program } from '../program/program.ts';
import { answerOf } from '../text/model-text.ts';
import { whole } from './background.ts';
import { type CompiledTurn, compileOpening, compileProblems, inputsIn } from './compile.ts';
import { type Background, readGoal } from './goal.ts';
import { withImpliedAnswer } from './implied-answer.ts';
import { modelHandler, type WriterOptions } from './model-effect.ts';
import { type FormPhrase, nativePlan, type PlanReply, planReply } from './native-plan.ts';
import { PlanFailure, type Round } from './plan-failure.ts';
import { type GoalAndProgram, opening, planForm } from './prompt.ts';
import { checkSpec, promptSpec } from './specs.ts';
import { plannersOf, toldTools } from './told.ts';
import {
  choiceOptions,
  chooseTools,
  moreTools,
  signaturesNamed,
  toolsForm,
} from './tool-choice.ts';
import { calledInstead, withoutProgram } from './without-program.ts';

export interface PlannerOptions extends WriterOptions {
  /** What the program is to be written in. */
  readonly dialect: string;
  /** Shown to the model beside the worked examples. */
  readonly saved?: readonly GoalAndProgram[] | undefined;
  /** What the goal was said in: its functions are put at the head of programs that call them. */
  readonly background?: Background | undefined;
  /** The program is to be one for goals like those of these turns, with inputs and guards. */
  readonly compiling?: readonly CompiledTurn[] | undefined;
  /** Whether an answer in words will do where no program is needed. */
  readonly takesWords?: boolean | undefined;
}

export interface Plan {
  readonly text: string;
  readonly checked: Checked;
  /** How often the model has written. */
  readonly rounds: number;
}

/**
 * The effects of the loop by name: `prompt`, `model`, `check`. Throws `PlanFailure` PV2001 for a
 * dialect that does not exist, or that a loop plays.
 */
export function planningHandlers(options: PlannerOptions): Map<string, Handler> {
  const dialect = dialectNamed(options.dialect);
  if (dialect.interpretedBy !== undefined) {
    throw new PlanFailure(
      'PV2001',
      `no model plans in the dialect ${dialect.name}: a loop plays it`,
      {
        hint: 'name another dialect, or run a file of it',
      },
    );
  }
  const handlers = [
    promptHandler(options, dialect),
    modelHandler(options.model, (messages) => nativePlan(messages, dialect, formsOf(dialect))),
    checkHandler(options, dialect),
  ];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}

/** All that a conversation may say on the form of a reply. */
const formsOf = (dialect: AnyDialect): readonly FormPhrase[] => [
  planForm(dialect, true),
  planForm(dialect, false),
  wordsForm,
  toolsForm,
];

/** Throws `PlanFailure` PV2001 where there is none of that name. */
export function dialectNamed(name: string): AnyDialect {
  const dialect = detect('', { dialect: name });
  if (!('code' in dialect)) return dialect;
  const { code, message, hint } = dialect;
  throw new PlanFailure(code, message, { hint });
}

function promptHandler(options: PlannerOptions, dialect: AnyDialect): Handler {
  const { environment, saved, compiling } = options;
  return {
    spec: promptSpec,
    async perform({ goal: data }, context) {
      if (compiling) return compileOpening(compiling, dialect, environment);
      const goal = readGoal(data);
      const told = toldTools(environment.tools, plannersOf(dialect.name), goal.text);
      const tools = await chooseTools(
        told,
        goal.text,
        choiceOptions(context, { embedder: options.embedder?.() }),
      );
      return opening({
        ...{ goal, dialect, environment, tools, saved, at: context.queuedAt },
        takesWords: takesWords(options, dialect),
      });
    },
  };
}

/** What a reply came to, as the loop sees it. */
interface CheckedReply {
  readonly ok: boolean;
  readonly program: string | null;
  /** How many errors are left: more than any program has where there is none. */
  readonly errors: number;
  /** Whether the model says that there is no program for it. */
  readonly final: boolean;
  readonly said: string;
  /** All that is wrong, as the model is told of it. */
  readonly report: string;
  /** The tools that the model asked to see, in place of a program; empty where it did not. */
  readonly tools?: string;
}

function checkHandler(options: PlannerOptions, dialect: AnyDialect): Handler {
  const { onRound } = options;
  let rounds = 0;
  return {
    spec: checkSpec,
    async perform({ reply: given, told: wasTold }, context): Promise<CheckedReply> {
      const { text: reply, isWords } = planReply(String(given), dialect);
      const choice = choiceOptions(context, { embedder: options.embedder?.() });
      const told = toldTools(options.environment.tools, plannersOf(dialect.name));
      const tools = await moreTools(told, reply, choice);
      if (tools !== '') return { ...nothingYet(reply), tools };
      const program = isWords
        ? undefined
        : (dialect.find(reply) ?? programInReply(reply, anyBlock)?.text);
      const others = dialect.othersIn?.(reply) ?? [];
      if (others.length > 0) context.warn(otherPrograms(others));
      const { round, checked } =
        program === undefined
          ? repliedWithout({ text: reply, isWords }, wasTold === true, options, dialect)
          : repliedProgram(
              { reply, program, warn: (message) => context.warn(message) },
              options,
              dialect,
            );
      onRound?.({ ...round, number: ++rounds });
      const signatures = checked.ok ? '' : signaturesNamed(told, program ?? reply, choice);
      return signatures === '' ? checked : withSignatures(checked, signatures);
    },
  };
}

const nothingYet = (reply: string): CheckedReply => ({
  ...{ ok: false, program: null, errors: noProgram, final: false },
  ...{ said: said(reply), report: '' },
});

const withSignatures = (checked: CheckedReply, signatures: string): CheckedReply => ({
  ...checked,
  report: `${checked.report}\n\n${signatures}`,
});

interface Replied {
  readonly round: Omit<Round, 'number'>;
  readonly checked: CheckedReply;
}

interface WrittenReply {
  readonly reply: string;
  readonly program: string;
  readonly warn: (message: string) => void;
}

function repliedProgram(
  { reply, program, warn }: WrittenReply,
  options: PlannerOptions,
  dialect: AnyDialect,
): Replied {
  const { background, compiling } = options;
  const written = whole(program, dialect.name, background, options.environment);
  const environment = compiling ? withInputs(options.environment, written) : options.environment;
  const check = (text: string) => checkProgram(text, environment, { dialect: dialect.name });
  const first = check(written);
  const implied =
    dialect.name === 'starlark' && first.ok && withoutAnswer(first, written).length > 0
      ? withImpliedAnswer(written)
      : undefined;
  if (implied) warn(implied.warning);
  const text = implied?.text ?? written;
  const checked = implied ? check(text) : first;
  const more = compiling ? compileProblems(text) : [];
  const found = asCorrected(checked.diagnostics, dialect);
  const diagnostics = [...found, ...withoutAnswer(checked, text), ...more];
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const ok = errors.length === 0;
  const called = ok ? undefined : calledInstead(reply, dialect.fence);
  const rendered = renderAll(errors, text, { file: 'plan', color: false });
  return {
    round: { text, isProgram: true, diagnostics, ok },
    checked: {
      ...{ ok, program: text, errors: errors.length, final: false, said: said(reply) },
      report: called ?? `The program does not pass the check:\n\n${rendered}`,
    },
  };
}

/** A model that is about to lose results is told so before it runs, not by a wrong answer. */
const asCorrected = (
  diagnostics: readonly Diagnostic[],
  { correctedWarnings = [] }: AnyDialect,
): Diagnostic[] =>
  diagnostics.map((diagnostic) =>
    correctedWarnings.includes(diagnostic.code) ? { ...diagnostic, severity: 'error' } : diagnostic,
  );

/** More errors than a program has. */
export const noProgram = 1_000_000;

function repliedWithout(
  { text: reply, isWords }: PlanReply,
  wasTold: boolean,
  options: PlannerOptions,
  dialect: AnyDialect,
): Replied {
  const instead = isWords
    ? ({ is: 'words', text: reply, isMarked: true } as const)
    : withoutProgram(reply, dialect);
  // Who answers in words again after a correction means it.
  const answering = takesWords(options, dialect) ? dialect.answering : undefined;
  if (answering && instead.is === 'words' && (instead.isMarked || wasTold)) {
    const program = answering(instead.text);
    return {
      round: { text: program, isProgram: true, diagnostics: [], ok: true },
      checked: { ok: true, program, errors: 0, final: false, said: said(reply), report: '' },
    };
  }
  const words = answering ? ` ${wordsForm.text}` : '';
  const problem =
    instead.is === 'mistake' ? instead.problem : `The reply holds no program.${words}`;
  return {
    round: { text: reply, isProgram: false, diagnostics: [], ok: false },
    checked: {
      ...{ ok: false, program: null, errors: noProgram, final: instead.is === 'refusal' },
      ...{ said: said(answerOf(reply) || reply), report: problem },
    },
  };
}

const wordsForm: FormPhrase = {
  text: 'If no tool is needed, write the answer between <answer> and </answer>, without a fence.',
  native: 'If no tool is needed, write "answer".',
  keys: ['answer'],
};

/** An answer in words is a program like any other. */
const takesWords = ({ takesWords = false }: PlannerOptions, { answering }: AnyDialect): boolean =>
  takesWords && answering !== undefined;

/** Any fence, and no text without one. */
const anyBlock = { code: /(?!)/, languages: /(?!)/, parses: () => false };

const otherPrograms = (firstLines: readonly string[]): string => {
  const named = firstLines.slice(0, otherProgramsMax).map((line) => `\`${line.slice(0, 80)}\``);
  const more = firstLines.length > named.length ? ' and others' : '';
  return (
    `the reply has ${firstLines.length + 1} programs; the longest was taken, ` +
    `and what begins with ${named.join(', ')}${more} was left out`
  );
};

/** Programs left out that a warning names one by one. */
const otherProgramsMax = 3;

/** With the inputs that a program declares itself. */
const withInputs = ({ inputs, ...rest }: Environment, text: string): Environment => ({
  ...{ ...rest, inputs: [...inputs, ...inputsIn(text).map(({ name }) => name)] },
});

/** A plan is asked for an answer: one that has none on any way would end in silence. */
export function withoutAnswer({ program, dialect }: Checked, text: string): Diagnostic[] {
  if (program ? answers(program) : dialect !== 'starlark' || answerWords.test(text)) return [];
  return [
    {
      code: 'PV7005',
      severity: 'error',
      message: 'the program has no answer',
      line: 1,
      column: 1,
      hint: dialectNamed(dialect).answerHint,
    },
  ];
}

const answers = ({ chunks }: Program): boolean =>
  chunks.some(({ code }) => code.some((word) => opcodeAt(word)?.name === 'ANSWER'));

/** What a program in Starlark with other errors may answer by: it is told of all at once. */
const answerWords = /\b(?:answer|result|final_answer)\s*[(=]/;

/** Characters of a reply without a program that a person is shown. */
const saidMax = 2000;

export const said = (reply: string): string => reply.trim().slice(0, saidMax);
