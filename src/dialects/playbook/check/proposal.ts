/**
 * Steps that a model proposes for the lines of playbooks, verified by code alone. Each step names
 * its line, so that order, blocks and numbers are those of the source. Quotes, numbers and
 * variables of a step are those of its line. Nothing may be wrong that is not wrong with the
 * source. A line whose steps do not hold stays as it is written, alone.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { ToolSpec } from '../../../program/effect.ts';
import { compilePlaybooks } from '../compile/compile.ts';
import { type CompiledFile, flatLines, isMachines, type Line } from '../compiled.ts';
import { lineNumber, spelledToday } from '../pbasm/read.ts';
import { playbookId } from '../source/models.ts';
import type { Place, PlaybookFile, SourceLine } from '../source/tree.ts';
import { checkCompiled } from './check.ts';

export interface ProposedStep {
  /** The number of its line: `03.01`. */
  readonly line: string;
  /** How many steps of the same line it stands under. */
  readonly depth: number;
  readonly code: string;
  /** Of a jump the number of a line. */
  readonly text: string;
}

export interface Verified {
  /** The steps that hold, and the other lines as they are written. */
  readonly compiled: CompiledFile;
  /** `Desk.Main:02: it has no step`. */
  readonly problems: readonly string[];
}

/** A playbook of the source, with what is proposed for it. */
interface Work {
  readonly id: string;
  readonly place: Place;
  readonly top: readonly Line[];
  /** All lines by their numbers. */
  readonly lines: ReadonlyMap<string, Line>;
  /** By the numbers of lines. */
  readonly steps: ReadonlyMap<string, readonly ProposedStep[]>;
  /** Numbers of lines that stay as they are written. */
  readonly kept: Set<string>;
  /** Numbers of lines whose steps do not hold, in this round; empty for the playbook. */
  readonly wrong: Set<string>;
  readonly problems: string[];
}

/** In the last round all lines stay as they are written, unless all was well before. */
const roundsMax = 3;

/** Proposals are by the ids of playbooks: `Desk.Main`. */
export function verifyProposal(
  file: PlaybookFile,
  proposal: ReadonlyMap<string, readonly ProposedStep[]>,
  tools: readonly ToolSpec[],
): Verified {
  const source = compilePlaybooks(file, tools);
  const known = new Set(problemsOf(source, tools).map(keyOfProblem));
  const works = source.agents.flatMap((agent) =>
    agent.playbooks.map(({ lines: top, name, place }): Work => {
      const id = playbookId(agent, { name });
      const all = flatLines(top);
      const steps = Map.groupBy(proposal.get(id) ?? [], ({ line }) => line);
      const kept = new Set(all.filter(isMachines).map(({ number }) => number));
      const lines = new Map(all.map((line) => [line.number, line]));
      return { id, place, top, lines, steps, kept, wrong: new Set(), problems: [] };
    }),
  );
  for (const work of works) checkWords(work);
  for (let round = 1; ; round += 1) {
    const isAnyWrong = works.some(({ wrong }) => wrong.size > 0);
    for (const work of works) keepWrong(work, isAnyWrong && round === roundsMax);
    const compiled = compilePlaybooks(withSteps(file, works), tools);
    const added = problemsOf(compiled, tools).filter((one) => !known.has(keyOfProblem(one)));
    const playbooks = compiled.agents.flatMap((agent) => agent.playbooks);
    const lines = playbooks.flatMap((playbook) => flatLines(playbook.lines));
    const stepsAt = Map.groupBy(lines, ({ place }) => keyOf(place));
    for (const work of works) checkMeanings(work, stepsAt, added);
    if (round === roundsMax || works.every(({ wrong }) => wrong.size === 0)) {
      return { compiled, problems: works.flatMap(({ problems }) => problems) };
    }
  }
}

const keyOf = ({ column, file = '', line }: Place): string => [line, column, file].join(' ');

function reject({ id, problems, wrong }: Work, line: string, message: string): void {
  wrong.add(line);
  problems.push(`${line === '' ? id : `${id}:${line}`}: ${message}`);
}

/** Lines with problems stay as they are written; all of them where that does not help. */
function keepWrong({ kept, lines, wrong }: Work, isLast: boolean): void {
  const isAll = isLast || wrong.has('') || [...wrong].some((line) => kept.has(line));
  for (const line of isAll ? lines.keys() : wrong) kept.add(line);
  wrong.clear();
}

/** What is wrong with steps by their words alone. */
function checkWords(work: Work): void {
  const { kept, lines, steps } = work;
  for (const [number, line] of lines) {
    if (kept.has(number)) continue;
    const own = steps.get(number);
    if (!own) reject(work, number, 'it has no step');
    for (const step of own ?? []) {
      const goal = target(step);
      if (goal !== undefined && !lines.has(goal)) {
        reject(work, number, `got a jump to ${goal}, want the number of a line`);
      }
      for (const part of goal === undefined ? strangePartsOf(step.text, line) : []) {
        reject(work, number, `got ${part}, which the line does not have`);
      }
    }
    const variables = new Set(own?.flatMap(({ text }) => variablesIn(text)));
    const lost = variablesIn(line.text).find((variable) => !variables.has(variable));
    if (own && lost !== undefined) reject(work, number, `none of its steps has ${lost}`);
  }
  const strange = [...steps.keys()].find((number) => !lines.has(number));
  if (strange !== undefined) {
    const known = [...lines.keys()];
    reject(work, strange, `got a step of ${strange}, want one of ${known[0]} to ${known.at(-1)}`);
  }
}

/** The number of the line that a step jumps to. */
function target({ code, text }: ProposedStep): string | undefined {
  const [number] = (code === 'JMP' && /\d+(?:\.\d+)*/.exec(text)) || [];
  return number === undefined ? undefined : lineNumber(number);
}

const variablesIn = (text: string): readonly string[] => text.match(/\$\p{XIDS}\p{XIDC}*/gu) ?? [];

/** Texts in quotes and numbers of a step that its line does not have. */
function strangePartsOf(text: string, { block = '', text: line }: Line): readonly string[] {
  const source = `${line}\n${block}`;
  const quotes = text.match(quoted) ?? [];
  const known: ReadonlySet<string> = new Set(source.match(numberForm));
  const numbers = text.replace(quoted, '').match(numberForm) ?? [];
  return [
    ...quotes.filter((quote) => !source.includes(quote.slice(1, -1))),
    ...numbers.filter((number) => !known.has(number)),
  ];
}

const quoted = /"(?:\\.|[^"\\])*"/g;
const numberForm = /(?<![\p{XIDC}$.])\d+(?:\.\d+)?(?!\p{XIDC})/gu;

function withSteps(file: PlaybookFile, works: readonly Work[]): PlaybookFile {
  const workOf = new Map(works.map((work) => [work.id, work]));
  const agents = file.agents.map((agent) => ({
    ...agent,
    playbooks: agent.playbooks.map((playbook) => {
      const work = workOf.get(playbookId(agent, playbook));
      return work ? { ...playbook, steps: linesOf(work) } : playbook;
    }),
  }));
  return { ...file, agents };
}

interface Step extends SourceLine {
  text: string;
  /** The number of its line. */
  readonly line: string;
  /** Of a jump the number of the line to go on at. */
  readonly target: string | undefined;
  readonly children: Step[];
}

/** The steps of a playbook, each line's with those of the lines under it under its last one. */
function linesOf({ kept, lines, steps, top }: Work): readonly SourceLine[] {
  const stepsOf = ({ block, children, does, number, place, text }: Line): Step[] => {
    const asWritten = { text, depth: 0, target: does.is === 'go' ? does.to : undefined };
    const proposed = (steps.get(number) ?? []).map((step) => {
      return { ...step, text: spelledToday(step.code, step.text), target: target(step) };
    });
    const own: Step[] = [];
    const path: Step[] = [];
    for (const { depth, ...said } of kept.has(number) ? [asWritten] : proposed) {
      const step: Step = { ...said, line: number, place, children: [] };
      path.length = Math.min(path.length, depth);
      const siblings = path.at(-1)?.children ?? own;
      const isFirst = siblings === own && own.length === 0;
      siblings.push(isFirst && block !== undefined ? { ...step, block } : step);
      path.push(...siblings.slice(-1));
    }
    path.at(-1)?.children.push(...children.flatMap(stepsOf));
    return own;
  };
  const tree = top.flatMap(stepsOf);
  const numbers = new Map<string, string>();
  const numbered = (siblings: readonly Step[], above: string): Step[] =>
    siblings.flatMap((step, order) => {
      const own = `${above}${String(order + 1).padStart(2, '0')}`;
      if (!numbers.has(step.line)) numbers.set(step.line, own);
      return [step, ...numbered(step.children, `${own}.`)];
    });
  for (const step of numbered(tree, '')) {
    if (lines.has(step.target ?? '')) step.text = `Go to step ${numbers.get(step.target ?? '')}`;
  }
  return tree;
}

function problemsOf(compiled: CompiledFile, tools: readonly ToolSpec[]): readonly Diagnostic[] {
  const environment = { tools: new Map(tools.map((tool) => [tool.name, tool])), inputs: [] };
  return checkCompiled(compiled, environment, Infinity);
}

const keyOfProblem = ({ code, file = '', line }: Diagnostic): string =>
  [code, line, file].join(' ');

/** Heads and forms that are something else now, and what is `added` to problems of the source. */
function checkMeanings(
  work: Work,
  stepsAt: ReadonlyMap<string, readonly Line[]>,
  added: readonly Diagnostic[],
): void {
  const { kept, lines, place } = work;
  for (const [number, line] of lines) {
    if (kept.has(number)) continue;
    const steps = stepsAt.get(keyOf(line.place)) ?? [];
    const codes = steps.map(({ code }) => code);
    if (/CND|ELS|LOP/.test(line.code) && !codes.includes(line.code)) {
      reject(work, number, `got ${codes.join(', ')}, want the ${line.code} of the line`);
    }
    for (const why of steps.flatMap((step) => likelyAt(step) ?? [])) {
      if (why !== likelyAt(line)) reject(work, number, why);
    }
  }
  const rowOf = ({ file = '', line }: Omit<Place, 'column'>): string => `${line} ${file}`;
  const rows = new Map([...lines].map(([number, line]) => [rowOf(line.place), number]));
  for (const diagnostic of added) {
    const row = rowOf(diagnostic);
    const number = rows.get(row) ?? (row === rowOf(place) ? '' : undefined);
    const { hint, message } = diagnostic;
    const text = message.replace(/^got [\d.]+:[A-Z]{3} /, 'got ');
    if (number !== undefined) reject(work, number, hint === undefined ? text : `${text}: ${hint}`);
  }
}

/** Why a line is not the form that it looks like; a call of what there is not is told otherwise. */
const likelyAt = ({ does }: Line): string | undefined =>
  does.is === 'open' && does.calls === undefined ? does.likely : undefined;
