/**
 * Steps that a model proposes for the lines of playbooks, verified by code alone. Each step names
 * its line, so that order, blocks and numbers are those of the source. Quotes, numbers and
 * variables of a step are those of its line. Nothing may be wrong that is not wrong with the
 * source. A line whose steps do not hold stays as it is written, alone.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { ToolSpec } from '../../../program/effect.ts';
import { codeByName } from '../codes.ts';
import { compilePlaybooks } from '../compile/compile.ts';
import { type CompiledFile, flatLines, isMachines, type Line } from '../compiled.ts';
import { slotsOf } from '../grammar/keywords.ts';
import { spelledToday } from '../pbasm/read.ts';
import type { Place, Playbook, PlaybookFile, SourceLine } from '../source/tree.ts';
import { checkCompiled } from './check.ts';

export interface ProposedStep {
  /** `L3`: the third line of the playbook. */
  readonly line: string;
  /** How many steps of the same line it stands under. */
  readonly depth: number;
  readonly code: string;
  /** Of a jump the name of a line: `L1`. */
  readonly text: string;
}

/** By `Agent.Name`. */
export type Proposal = ReadonlyMap<string, readonly ProposedStep[]>;

export interface ProposalProblem {
  readonly playbook: string;
  /** Empty where it is about the playbook as a whole. */
  readonly line: string;
  readonly message: string;
}

export interface Verified {
  /** The steps that hold, and the other lines as they are written. */
  readonly compiled: CompiledFile;
  readonly problems: readonly ProposalProblem[];
}

export function verifyProposal(
  file: PlaybookFile,
  proposal: Proposal,
  tools: readonly ToolSpec[],
): Verified {
  const source = compilePlaybooks(file, tools);
  const known = new Set(problemsOf(source, tools).map(keyOfProblem));
  const written = new Map(linesIn(source).map((line) => [keyOf(line.place), line]));
  const works = file.agents.flatMap((agent) =>
    agent.playbooks.map((playbook): Work => {
      const id = `${agent.name}.${playbook.name}`;
      const rows = rowsOf(playbook.steps, written);
      const steps = Map.groupBy(proposal.get(id) ?? [], ({ line }) => line);
      const kept = new Set(
        rows.flatMap((row) => (row.isFormal || !steps.has(row.id) ? [row.id] : [])),
      );
      return { id, playbook, rows, steps, kept };
    }),
  );
  const problems = works.flatMap(problemsOfWords);
  for (let found: readonly ProposalProblem[] = problems; ; problems.push(...found)) {
    const isHelping = works.map((work) => keep(work, found)).includes(true);
    if (!isHelping) for (const work of works) keepAll(work);
    const compiled = compilePlaybooks(withSteps(file, works), tools);
    const wrong = problemsOf(compiled, tools).filter((one) => !known.has(keyOfProblem(one)));
    const codes = Map.groupBy(linesIn(compiled), ({ place }) => keyOf(place));
    found = works.flatMap((work) => [...otherHeads(work, codes), ...problemsIn(work, wrong)]);
    if (found.length === 0 || !isHelping) return { compiled, problems };
  }
}

/** A line of the source. */
interface Row {
  readonly id: string;
  readonly number: string;
  readonly line: SourceLine;
  readonly code: Line['code'] | undefined;
  /** Whether the machine does it: nobody has to say what it means. */
  readonly isFormal: boolean;
}

interface Work {
  readonly id: string;
  readonly playbook: Playbook;
  readonly rows: readonly Row[];
  /** By the ids of lines. */
  readonly steps: ReadonlyMap<string, readonly ProposedStep[]>;
  /** Ids of lines that stay as they are written. */
  readonly kept: Set<string>;
}

const keyOf = ({ column, file = '', line }: Place): string => [line, column, file].join(' ');

const linesIn = ({ agents }: CompiledFile): readonly Line[] =>
  agents.flatMap(({ playbooks }) => playbooks.flatMap(({ lines }) => flatLines(lines)));

function rowsOf(lines: readonly SourceLine[], written: ReadonlyMap<string, Line>): readonly Row[] {
  const rows: Row[] = [];
  const add = (line: SourceLine, number: string): void => {
    const compiled = written.get(keyOf(line.place));
    const isFormal = compiled !== undefined && isMachines(compiled);
    rows.push({ id: `L${rows.length + 1}`, number, line, code: compiled?.code, isFormal });
    for (const [at, child] of line.children.entries()) add(child, `${number}.${padded(at + 1)}`);
  };
  for (const [at, line] of lines.entries()) add(line, padded(at + 1));
  return rows;
}

const padded = (part: string | number): string => String(part).padStart(2, '0');

/** What is wrong with steps by their words alone. */
function problemsOfWords({ id, rows, steps }: Work): ProposalProblem[] {
  const lines = new Map(rows.map((row) => [row.id, row]));
  const strange = [...steps.keys()].find((line) => !lines.has(line));
  const said = rows.flatMap(({ id: line, isFormal, line: source }) => {
    if (isFormal) return [];
    const own = steps.get(line);
    if (!own) return [{ line, message: 'it has no step' }];
    const lost = variablesIn(source.text).find(
      (name) => !own.some(({ text }) => variablesIn(text).includes(name)),
    );
    const messages = own.flatMap(({ code, text }) => {
      const isNowhere = code === 'JMP' && /^L\d/.test(text) && !lines.has(text);
      const parts = code === 'JMP' ? [] : strangePartsOf(text, source);
      return [
        ...(isNowhere ? [`got a jump to ${text}, want the name of a line`] : []),
        ...parts.map((part) => `got ${part}, which the line does not have`),
      ];
    });
    const all = lost === undefined ? messages : [...messages, `none of its steps has ${lost}`];
    return all.map((message) => ({ line, message }));
  });
  const problems = said.map((one) => ({ playbook: id, ...one }));
  if (strange === undefined) return problems;
  const message = `got a step of ${strange}, want one of L1 to L${rows.length}`;
  return [...problems, { playbook: id, line: strange, message }];
}

const variablesIn = (text: string): readonly string[] => text.match(/\$\p{XIDS}\p{XIDC}*/gu) ?? [];

/** Texts in quotes and numbers of a step that its line does not have. */
function strangePartsOf(text: string, { block = '', text: line }: SourceLine): readonly string[] {
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

/** Lines with problems stay as they are written; all of them where that has not helped. */
function keep(work: Work, problems: readonly ProposalProblem[]): boolean {
  const { id, kept } = work;
  const before = kept.size;
  const own = problems.filter(({ playbook }) => playbook === id);
  if (
    own.some(({ line, message }) => line === '' || (kept.has(line) && message !== 'it has no step'))
  )
    keepAll(work);
  for (const { line } of own) if (line !== '') kept.add(line);
  return problems.length === 0 || kept.size > before;
}

function keepAll({ kept, rows }: Work): void {
  for (const { id } of rows) kept.add(id);
}

interface Step {
  readonly text: string;
  readonly row: Row;
  /** Of a jump the id of a line. */
  readonly target: string | undefined;
  readonly children: Step[];
}

function withSteps(file: PlaybookFile, works: readonly Work[]): PlaybookFile {
  const byPlaybook = new Map(works.map((work) => [work.playbook, work]));
  const stepsOf = (playbook: Playbook): readonly SourceLine[] => {
    const work = byPlaybook.get(playbook);
    return work ? linesOf(work) : playbook.steps;
  };
  const agents = file.agents.map((agent) => ({
    ...agent,
    playbooks: agent.playbooks.map((playbook) => ({ ...playbook, steps: stepsOf(playbook) })),
  }));
  return { ...file, agents };
}

/** The steps of a playbook, each line's with those of the lines under it under its last one. */
function linesOf({ kept, playbook, rows, steps }: Work): readonly SourceLine[] {
  const rowOf = new Map(rows.map((row) => [row.line, row]));
  const build = (lines: readonly SourceLine[]): Step[] =>
    lines.flatMap((line) => {
      const row = rowOf.get(line);
      if (!row) return [];
      const under = build(line.children);
      if (kept.has(row.id)) {
        const [wanted] = slotsOf('go', line.text) ?? [];
        const number = wanted?.split('.').map(padded).join('.');
        const target = rows.find((one) => one.number === number)?.id;
        return [{ text: line.text, row, target, children: under }];
      }
      const own: Step[] = [];
      const path: Step[] = [];
      for (const { code, depth, text } of steps.get(row.id) ?? []) {
        const isJump = code === 'JMP' && /^L\d/.test(text);
        const step: Step = {
          ...{ text: isJump ? text : spelledToday(code, text), row, children: [] },
          target: isJump ? text : undefined,
        };
        path.length = Math.min(path.length, depth);
        (path.at(-1)?.children ?? own).push(step);
        path.push(step);
      }
      path.at(-1)?.children.push(...under);
      return own;
    });
  const tree = build(playbook.steps);
  const numbers = new Map<string, string>();
  const number = (list: readonly Step[], above: string): void => {
    for (const [at, step] of list.entries()) {
      const own = `${above}${padded(at + 1)}`;
      if (!numbers.has(step.row.id)) numbers.set(step.row.id, own);
      number(step.children, `${own}.`);
    }
  };
  number(tree, '');
  const blocked = new Set<Row>();
  const lineOf = ({ children, row, target, text }: Step): SourceLine => {
    const { block, place } = row.line;
    const hasBlock = block !== undefined && !blocked.has(row);
    blocked.add(row);
    const goes = target === undefined ? undefined : numbers.get(target);
    const words = goes === undefined ? text : `Go to step ${goes}`;
    return { text: words, ...(hasBlock && { block }), place, children: children.map(lineOf) };
  };
  return tree.map(lineOf);
}

/** What counts in a proposal besides errors. */
const minded: ReadonlySet<string> = new Set(
  (
    [
      ...['unreachable', 'noEnd', 'emptyBlock', 'unknownNote', 'unknownTarget', 'unfilled'],
      ...['extraArgument', 'missingArgument', 'unsetVariable', 'perhapsUnset', 'endlessLoop'],
      ...['unknownType', 'bareArithmetic'],
    ] as (keyof typeof codeByName)[]
  ).map((name) => codeByName[name]),
);

function problemsOf(compiled: CompiledFile, tools: readonly ToolSpec[]): readonly Diagnostic[] {
  const environment = { tools: new Map(tools.map((tool) => [tool.name, tool])), inputs: [] };
  const found = checkCompiled(compiled, environment, { most: Infinity });
  return found.filter(({ code, severity }) => severity === 'error' || minded.has(code));
}

const keyOfProblem = ({ code, file = '', line }: Diagnostic): string =>
  [code, line, file].join(' ');

/** What is found in a playbook that is not found in its source. */
function problemsIn({ id, playbook, rows }: Work, found: readonly Diagnostic[]): ProposalProblem[] {
  return found.flatMap((one) => {
    const isHere = ({ file, line }: Place): boolean => line === one.line && file === one.file;
    const row = rows.find(({ line }) => isHere(line.place));
    if (!row && !isHere(playbook.place)) return [];
    const message = one.message.replace(/^got [\d.]+:[A-Z]{3} /, 'got ');
    const hint = one.hint === undefined ? '' : `: ${one.hint}`;
    return [{ playbook: id, line: row?.id ?? '', message: `${message}${hint}` }];
  });
}

/** Conditions and loops of the source that are something else now. */
const otherHeads = (
  { id, kept, rows }: Work,
  lines: ReadonlyMap<string, readonly Line[]>,
): ProposalProblem[] =>
  rows.flatMap(({ code, id: line, line: { place } }) => {
    const now = lines.get(keyOf(place))?.map((one) => one.code) ?? [];
    const isHead = code === 'CND' || code === 'ELS' || code === 'LOP';
    if (!isHead || kept.has(line) || now.includes(code)) return [];
    return [{ playbook: id, line, message: `got ${now.join(', ')}, want the ${code} of the line` }];
  });
