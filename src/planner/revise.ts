/**
 * The effects of the control loop `loops/revise.star`: a conversation that asks for a change, a
 * model, and what puts its reply in place and checks the whole. Nothing of the program is run here.
 */
import { renderAll } from '../dialects/diagnostic.ts';
import type { Environment } from '../dialects/dialect.ts';
import { type AnyDialect, checkProgram } from '../dialects/index.ts';
import type { Handler } from '../engine/handler.ts';
import { seal } from '../program/builder.ts';
import type { Program } from '../program/program.ts';
import { answerOf } from '../text/model-text.ts';
import { whole as wholeProgram } from './background.ts';
import { type Look, looked, lookForm } from './look.ts';
import { modelHandler, type WriterOptions } from './model-effect.ts';
import { nativePlan, type PlanReply, planReply } from './native-plan.ts';
import type { Round } from './plan-failure.ts';
import { dialectNamed, noProgram, said, withoutAnswer } from './planner.ts';
import { type Revision, readRevision, type Scope } from './revision.ts';
import {
  changeForm,
  revisionPrompt,
  revisionTools,
  scopeForm,
  unnumbered,
} from './revision-prompt.ts';
import { briefSpec, fitSpec } from './specs.ts';
import { calledTools, plannersOf, toldTools } from './told.ts';
import { choiceOptions, moreTools, signaturesNamed, toolsForm } from './tool-choice.ts';
import { type WithoutProgram, withoutProgram } from './without-program.ts';

export interface ReviserOptions extends WriterOptions {
  /** The name of the dialect that the program is written in. */
  readonly dialect: string;
  /** Shows values of the run as it ended. */
  readonly look: Look;
}

/**
 * The effects of the loop by name: `brief`, `model`, `fit`. Throws `PlanFailure` PV2001 for a
 * dialect that does not exist.
 */
export function revisingHandlers(options: ReviserOptions): Map<string, Handler> {
  const dialect = dialectNamed(options.dialect);
  const changes = [changeForm(dialect, true), changeForm(dialect, false)];
  const forms = [...changes, scopeForm, lookForm, toolsForm];
  const handlers = [
    briefHandler(options, dialect),
    modelHandler(options.model, (messages) => nativePlan(messages, dialect, forms)),
    fitHandler(options, dialect),
  ];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}

function briefHandler({ environment, embedder }: ReviserOptions, dialect: AnyDialect): Handler {
  return {
    spec: briefSpec,
    async perform({ task }, context) {
      const revision = readRevision(task);
      const options = choiceOptions(context, { embedder: embedder?.() });
      const tools = await revisionTools(revision, dialect, environment, options);
      return revisionPrompt(revision, dialect, tools, context.queuedAt);
    },
  };
}

function fitHandler(
  { environment, look, embedder, onRound }: ReviserOptions,
  dialect: AnyDialect,
): Handler {
  let rounds = 0;
  return {
    spec: fitSpec,
    async perform({ task, reply, looks = 0 }, context) {
      const revision = readRevision(task);
      const change = planReply(String(reply), dialect);
      const { text: whole } = change;
      const seen = looked(whole, look);
      const told = toldTools(environment.tools, plannersOf(dialect.name));
      const tools = await moreTools(
        told,
        whole,
        choiceOptions(context, { embedder: embedder?.() }),
      );
      if (seen !== '' || tools !== '') {
        const looked = seen === '' || Number(looks) > 0 ? seen : noMoreLooks;
        const nothing = nothingWritten(scopeOf(revision, dialect, whole));
        return { ...nothing, looked, tools, said: said(whole) };
      }
      const found = put(revision, dialect, change, environment);
      onRound?.({ ...found.round, number: ++rounds });
      const { program, report } = found.result;
      const signatures = report === '' ? '' : newSignatures(revision, program ?? '', environment);
      return {
        ...{ ...found.result, looked: '', tools: '' },
        said: said(found.result.wrote ? whole : answerOf(whole) || whole),
        report: signatures === '' ? report : `${report}\n\n${signatures}`,
      };
    },
  };
}

/** Of the tools that a change calls and the program did not: a model may not have seen them. */
function newSignatures({ program }: Revision, changed: string, { tools }: Environment): string {
  const known = calledTools(tools, program);
  const others = new Map([...tools].filter(([name]) => !known.has(name)));
  return signaturesNamed(others, changed, { tokensMax: 0 });
}

const noMoreLooks = 'You have looked often enough. Write the change now.';

interface Fitted {
  readonly round: Omit<Round, 'number'>;
  readonly result: {
    readonly ok: boolean;
    /** Whether the reply holds anything that may be a program. */
    readonly wrote: boolean;
    /** How many errors are left: more than any program has where there is none. */
    readonly errors: number;
    /** Whether the model says that no program can do it. */
    readonly final: boolean;
    /** The whole program, changed. */
    readonly program: string | null;
    readonly scope: Scope;
    readonly report: string;
  };
}

function put(
  revision: Revision,
  dialect: AnyDialect,
  { text: reply, isWords }: PlanReply,
  environment: Environment,
): Fitted {
  const found = isWords ? undefined : dialect.find(reply);
  const scope = scopeOf(revision, dialect, reply, found);
  const written =
    found === undefined
      ? inWords(revision, dialect, isWords ? reply : answerOf(reply).trim())
      : unnumbered(withoutWord(found));
  if (written === undefined) {
    const round = { text: reply, isProgram: false, diagnostics: [], ok: false };
    return { round, result: nothingWritten(scope, withoutProgram(reply, dialect)) };
  }
  const replaced = inPlace(revision, dialect, scope, written);
  if ('problem' in replaced) return refusal(scope, written, replaced.problem);
  const text = wholeProgram(replaced.text, dialect.name, undefined, environment);
  const checked = checkProgram(text, environment, { dialect: dialect.name });
  const diagnostics = [...checked.diagnostics, ...withoutAnswer(checked, text)];
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const { program } = checked;
  if (!program || errors.length > 0) {
    const rendered = renderAll(errors, text, { file: 'plan', color: false });
    const report = `This does not work yet:\n\n${rendered}`;
    const result = {
      ...{ ok: false, wrote: true, program: text, scope, report },
      ...{ errors: errors.length, final: false },
    };
    return { round: { text, isProgram: true, diagnostics, ok: false }, result };
  }
  const known = codeOf(program);
  if (revision.refused.some((one) => codeOf(compiled(one, dialect, environment)) === known)) {
    const failed = revision.error === undefined ? 'as it was' : 'one that has failed before';
    return refusal(scope, text, `the program is the same ${failed}; change what it does`);
  }
  const result = {
    ...{ ok: true, wrote: true, program: text, scope, report: '' },
    ...{ errors: 0, final: false },
  };
  return { round: { text, isProgram: true, diagnostics, ok: true }, result };
}

const nothingWritten = (scope: Scope, instead?: WithoutProgram): Fitted['result'] => ({
  ...{ ok: false, wrote: false, program: null, scope, errors: noProgram },
  final: instead?.is === 'refusal',
  report: instead?.is === 'mistake' ? instead.problem : 'The reply holds no program.',
});

/** Without the word of its scope, where no fence parts that from the program. */
const withoutWord = (text: string): string => text.replace(/^\W*(STEP|REST|PLAN)\b[*_:]*\s*\n/, '');

/** The last attempt may be an answer in words: a program that says it. */
function inWords(
  { isLast }: Revision,
  { answering }: AnyDialect,
  words: string,
): string | undefined {
  return isLast && words !== '' ? answering?.(words) : undefined;
}

/** A change that the checker cannot see, since it is none of a program. */
function refusal(scope: Scope, text: string, problem: string): Fitted {
  const place = { severity: 'error', line: 1, column: 1 } as const;
  const diagnostics = [{ code: 'PV7007', message: problem, ...place }];
  const report = `This does not work yet:\n\nerror PV7007: ${problem}`;
  return {
    round: { text, isProgram: true, diagnostics, ok: false },
    result: { ok: false, wrote: true, program: null, scope, report, errors: 1, final: false },
  };
}

/**
 * The scope that the model names before what it writes. Without one, the step where it writes just
 * that, and else the widest but the whole.
 */
function scopeOf(
  { at, scopes }: Revision,
  { parts }: AnyDialect,
  reply: string,
  written?: string,
): Scope {
  if (at === undefined) return 'plan';
  const [only, ...more] = scopes;
  if (only !== undefined && more.length === 0) return only;
  const word = /^(?:[*_#<>a-z]|[^\S\r\n\u2028\u2029])*?\b(STEP|REST|PLAN)\b/m
    .exec(answerOf(reply))?.[1]
    ?.toLowerCase();
  const named = scopes.find((scope) => scope === word);
  if (named) return named;
  const isStep = written !== undefined && parts?.isStep?.(written, at) === true;
  if (isStep && scopes.includes('step')) return 'step';
  return scopes.includes('rest') ? 'rest' : (only ?? 'plan');
}

function inPlace(
  { at, program }: Revision,
  { parts }: AnyDialect,
  scope: Scope,
  written: string,
): { readonly text: string } | { readonly problem: string } {
  if (at === undefined || scope === 'plan' || !parts) return { text: written };
  return parts.replace(program, { at, scope, written });
}

const compiled = (
  text: string,
  { name }: AnyDialect,
  environment: Environment,
): Program | undefined => checkProgram(text, environment, { dialect: name }).program;

/** The same for programs that do the same, wherever their code stands in the text. */
const codeOf = (program: Program | undefined): string =>
  (program?.chunks ?? []).map((chunk) => seal({ ...chunk, positions: [] }).hash).join('\n');
