/**
 * What a person at the command line can do about errors of the layers below, and about what a run
 * waits for. These layers know of no commands and flags: code and members say what is the case, and
 * limits have their names.
 */
import type { AgentCode } from '../agent/port/codes.ts';
import type { AgentFacts, CodedError } from '../agent/port/errors.ts';
import type { EngineCode } from '../engine/codes.ts';
import type { JournalCode } from '../engine/journal/journal-codes.ts';
import type { OpenQuestion, OpenWait } from '../engine/perform/person.ts';
import { limitNames, limitTable } from '../program/limits.ts';

interface About {
  readonly run: string;
  readonly step: string;
  /** What it may be about, where that is not clear. */
  readonly waits: readonly OpenWait[];
  readonly facts: AgentFacts;
  /** What the error itself says. */
  readonly hint: string | undefined;
}

type Code = EngineCode | JournalCode | AgentCode;

type Advice = Readonly<Partial<Record<Code, (about: About) => string | undefined>>>;

const listTools = ({ hint }: About): string | undefined =>
  hint === undefined ? 'planvm tools lists them' : undefined;

const advice: Advice = {
  PV5003: () => 'planvm runs lists those there are',
  PV5004: () => 'planvm delete --undo restores a deleted run, planvm gc sweeps the journal',
  PV5104: () => '--allow and --deny may leave it out',
  PV5105: () => 'planvm runs lists those there are',
  PV5106: ({ run }) => `see planvm show ${run}`,
  PV5110: ({ run }) => `see planvm show ${run}`,
  PV5113: ({ run }) => `see planvm show ${run}`,
  PV5132: ({ run, step }) => `planvm show ${run} --at ${step} shows what there is`,
  PV5133: ({ run }) => `planvm show ${run} lists its effects`,
  PV5134: () => 'planvm check shows what is wrong with it',
  PV5142: ({ run }) => `see planvm show ${run}`,
  PV5143: ({ run, waits }) =>
    waits.some(({ kind }) => kind === 'approval')
      ? 'name those that are meant, or say --all'
      : waitCommands(run, waits)
          .map((command) => `planvm ${command}`)
          .join('; '),
  PV5145: ({ run }) => `see planvm show ${run}`,
  PV6002: aboutValue,
  PV6006: ({ facts }) => (facts.isMissing ? '- reads the program from stdin' : undefined),
  PV6010: () => '--tools ./tools.ts names it',
  PV6011: ({ facts }) =>
    facts.role && '--model or PLANVM_MODEL names it, or --replay FILE replays one',
  PV6012: ({ facts: { isMissing, isDeleted } }) => {
    if (isMissing) return 'start one: planvm run FILE';
    if (isDeleted === undefined) return undefined;
    return isDeleted ? 'planvm gc drops them for good' : 'planvm runs lists them';
  },
  PV6013: (about) => listTools(about) ?? '--program has one written',
  PV6014: ({ hint }) => (hint === undefined ? '--force replaces it' : undefined),
  PV6018: ({ run, facts }) =>
    facts.isResumable ? `planvm resume ${run} goes on from here` : undefined,
  PV6020: ({ run, facts }) => (facts.limit ? undefined : `planvm resume ${run}`),
  PV6022: () => 'PLANVM_HOME names another one',
  PV6026: listTools,
  PV6031: () => '--at names the step; --program takes a whole program in place of it',
  PV6041: () => 'planvm plans lists them',
  PV6043: ({ run, facts: { lacks } }) => {
    if (lacks === 'answer') return `planvm show ${run} shows what it has done`;
    if (lacks === 'goal') return 'say it with --goal "…"';
    return lacks === 'end' ? `planvm resume ${run} goes on with it` : undefined;
  },
  PV6501: listTools,
  PV6502: listTools,
  PV6503: listTools,
  PV6701: () => 'planvm thread lists them',
  PV6706: () => '/save FILE of planvm repl writes one',
  PV6708: ({ facts }) => `planvm thread show ${facts.thread} shows what was said`,
  PV6709: () => 'planvm run @name calls it',
  PV6802: ({ facts }) =>
    facts.isResumable
      ? '--resume does the one, --out FILE the other'
      : '--out FILE names another log',
  PV6803: () => 'planvm bench qa --out FILE writes one',
  PV6806: () => '--again does both',
  PV6904: () => '--trust-servers allows all that the file names',
  PV7501: ({ run }) =>
    run === ''
      ? 'call it at a terminal, or without --confirm'
      : `planvm resume ${run} runs it as it is; at a terminal it asks first`,
};

/** The value of an option, or arguments of a tool. */
function aboutValue(about: About): string | undefined {
  const { tool, setting } = about.facts;
  if (tool === undefined) return undefined;
  return setting === undefined
    ? `planvm tools show ${tool} prints the parameters`
    : listTools(about);
}

/** The hint of an error, and what else to do; undefined where there is nothing to say. */
export function advised(error: CodedError): string | undefined {
  const { code, hint, facts = {}, waits = [], ...of } = error as CodedError & Partial<About>;
  const run = of.run ?? facts.run ?? '';
  const step = of.step ?? facts.step ?? 'STEP';
  const more = advice[code as Code]?.({ run, step, waits, facts, hint });
  const own = hint === undefined ? '' : withFlags(hint);
  if (own === '' || more === undefined) return own || more;
  // What ends a sentence needs no more behind it.
  return `${own}${/[.?!]$/.test(own) ? '' : ';'} ${more}`;
}

/** A problem whose hint has, beside the limits that it names, the flags that set them. */
export const flagged = <T extends { readonly hint?: string | undefined }>(problem: T): T =>
  problem.hint === undefined ? problem : { ...problem, hint: withFlags(problem.hint) };

export const withFlags = (text: string): string =>
  withLimitFlags(text)
    .replace(
      /\bas the input ([\p{L}\p{N}_-]+)/gu,
      (all, name: string) => `${all} (--input ${name}=…)`,
    )
    .replace(
      /\bthe setting (turns|depth|slips|rounds)\b(?: at (\d+))?/g,
      (all, name: string, value?: string) =>
        value === undefined ? `${all} (--${name})` : `--${name} ${value}`,
    )
    .replace(
      /\bthe parameters of the tool (\S+)/g,
      (all, tool: string) => `${all} (planvm tools show ${tool})`,
    );

const withLimitFlags = (text: string): string =>
  text.replace(
    /\b(?:the )?limit (\w+(?:\.\w+)*)(?: at (\S+))?/g,
    (all, name: string, value: string | undefined) => {
      const flag = flagOf(name);
      if (flag === undefined) return all;
      if (value === undefined) return `${all} (${flag})`;
      return name.includes('.') ? `${flag} ${name}=${value}` : `${flag} ${value}`;
    },
  );

/** Those of a tool have its name before them, and one flag for all. */
function flagOf(name: string): string | undefined {
  if (name.includes('.')) return '--tool-limit';
  const found = limitNames.find((one) => one === name);
  return found && `--${limitTable[found].flag}`;
}

/** They begin behind the name of this program. */
export function waitCommands(run: string, open: readonly OpenWait[]): string[] {
  const questions = open.filter(isUnanswered);
  const commands = open.flatMap((wait) => {
    const { effect, reply } = wait;
    if (reply) return reply.kind === 'approve' ? [`deny ${run} ${effect}`] : [];
    if (wait.kind === 'question') return [`answer ${run} ${whichOf(wait, questions)}"…"`];
    return wait.kind === 'approval' ? [`approve ${run} ${effect}`, `deny ${run} ${effect}`] : [];
  });
  return open.some(({ reply }) => reply) ? [`resume ${run}`, ...commands] : commands;
}

const isUnanswered = (wait: OpenWait): wait is OpenQuestion =>
  wait.kind === 'question' && wait.reply === undefined;

/** What tells a question from others: whose it is, where nobody is asked two. */
function whichOf({ effect, to }: OpenQuestion, all: readonly OpenQuestion[]): string {
  if (to === undefined && all.length === 1) return '';
  const whose = to ?? 'user';
  const own = all.filter((one) => (one.to ?? 'user') === whose);
  return own.length === 1 ? `--as ${named(whose)} ` : `${effect} `;
}

const named = (name: string): string => (/^\p{XIDC}+$/u.test(name) ? name : JSON.stringify(name));
