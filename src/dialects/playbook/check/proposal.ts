/**
 * Steps that a model proposes for the lines of playbooks, verified by code alone: each line has its
 * steps, in its order and its block; quotes and numbers of a step stand in its line; nothing new is
 * wrong with the file. A line whose steps do not hold stays as it is written, alone.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import { codeByName } from '../codes.ts';
import { compilePlaybooks } from '../compile/compile.ts';
import { type CompiledFile, flatLines, isMachines, type Line } from '../compiled.ts';
import { slotsOf } from '../grammar/keywords.ts';
import { spelledToday } from '../pbasm/read.ts';
import type { Playbook, PlaybookFile, SourceLine } from '../source/tree.ts';
import { checkCompiled } from './check.ts';

export interface ProposedStep {
  /** `L3`: the third line of the playbook. */
  readonly line: string;
  readonly number: string;
  readonly code: string;
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
  const formal = formalLines(source);
  const works = file.agents.flatMap((agent) =>
    agent.playbooks.map((playbook) => {
      const id = `${agent.name}.${playbook.name}`;
      const steps = (proposal.get(id) ?? []).map((step) => {
        return { ...step, text: spelledToday(step.code, step.text) };
      });
      return workOf(playbook, id, steps, formal);
    }),
  );
  const problems = works.flatMap(structureProblems);
  for (let found: readonly ProposalProblem[] = problems; ; problems.push(...found)) {
    const isHelping = works.map((work) => revert(work, found)).includes(true);
    if (!isHelping && found.length > 0) for (const work of works) keepAll(work);
    const compiled = compilePlaybooks(withSteps(file, works), tools);
    const wrong = problemsOf(compiled, tools).filter((one) => !known.has(keyOfProblem(one)));
    found = works.flatMap((work) => [
      ...changedHeads(work, source, compiled),
      ...problemsIn(work, wrong),
    ]);
    const isSource = works.every(({ kept, rows }) => kept.size === rows.length);
    if (found.length === 0 || isSource) return { compiled, problems };
  }
}

const keyOfPlace = ({ column, file = '', line }: SourceLine['place']): string =>
  [line, column, file].join(' ');

const linesIn = ({ agents }: CompiledFile): readonly Line[] =>
  agents.flatMap(({ playbooks }) => playbooks.flatMap(({ lines }) => flatLines(lines)));

/** The places of lines that the machine does: nobody has to say what they mean. */
const formalLines = (source: CompiledFile): ReadonlySet<string> =>
  new Set(
    linesIn(source)
      .filter(isMachines)
      .map(({ place }) => keyOfPlace(place)),
  );

interface SourceRow {
  readonly id: string;
  readonly line: SourceLine;
  /** The ids of the lines that it stands under, and its own. */
  readonly path: readonly string[];
  readonly number: string;
}

/** Lines with the names that a proposal gives them. */
export function sourceRows(
  lines: readonly SourceLine[],
  path: readonly string[] = [],
  above = '',
  from = { count: 0 },
): SourceRow[] {
  return lines.flatMap((line, at) => {
    from.count += 1;
    const id = `L${from.count}`;
    const number = `${above}${padded(at + 1)}`;
    const own = [...path, id];
    return [{ id, line, path: own, number }, ...sourceRows(line.children, own, `${number}.`, from)];
  });
}

const padded = (order: number): string => String(order).padStart(2, '0');

interface Step {
  readonly row: SourceRow;
  /** As the proposal numbers it; that of the source for a line that stays as it is. */
  readonly number: string;
  readonly text: string;
  readonly children: Step[];
  readonly isKept?: true;
}

interface Work {
  readonly id: string;
  readonly playbook: Playbook;
  readonly rows: readonly SourceRow[];
  readonly proposed: readonly ProposedStep[];
  /** Proposed steps by their numbers. */
  readonly steps: ReadonlyMap<string, Step>;
  readonly top: readonly Step[];
  /** Whether the machine does all lines, so that nobody has to say what they mean. */
  readonly isFormal: boolean;
  /** Ids of lines that stay as they are written. */
  readonly kept: Set<string>;
}

function workOf(
  playbook: Playbook,
  id: string,
  proposed: readonly ProposedStep[],
  formal: ReadonlySet<string>,
): Work {
  const rows = sourceRows(playbook.steps);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const steps = new Map<string, Step>();
  const top: Step[] = [];
  for (const { line, number, text } of proposed) {
    const row = byId.get(line);
    if (!row || steps.has(number)) continue;
    const step: Step = { row, number, text, children: [] };
    steps.set(number, step);
    (steps.get(headOf(number))?.children ?? top).push(step);
  }
  const isFormal = ({ line }: SourceRow): boolean => formal.has(keyOfPlace(line.place));
  const kept = new Set((proposed.length === 0 ? rows : rows.filter(isFormal)).map((row) => row.id));
  return { id, playbook, rows, proposed, steps, top, isFormal: rows.every(isFormal), kept };
}

const headOf = (number: string): string => number.slice(0, Math.max(0, number.lastIndexOf('.')));

/** What is wrong with steps whatever they mean. */
function structureProblems(work: Work): ProposalProblem[] {
  const { id, isFormal, kept, proposed, rows, steps } = work;
  const problems: ProposalProblem[] = [];
  const tell = (line: string, message: string): void => {
    problems.push({ playbook: id, line, message });
  };
  if (isFormal) return [];
  if (proposed.length === 0) return [{ playbook: id, line: '', message: 'no steps were given' }];
  const orders = new Map(rows.map((row, at) => [row.id, at]));
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  let last = 0;
  for (const { line, number, text } of proposed) {
    const order = orders.get(line);
    const row = rows[order ?? -1];
    if (order === undefined || !row) {
      tell('', `got a step ${number} of ${line}, want one of L1 to L${rows.length}`);
      continue;
    }
    const head = headOf(number);
    const count = (counts.get(head) ?? 0) + 1;
    const want = `${head === '' ? '' : `${head}.`}${padded(count)}`;
    counts.set(head, count);
    if (seen.has(number)) tell(line, `got the number ${number} twice`);
    else if (number !== want || (head !== '' && !seen.has(head))) {
      tell(line, `got the number ${number}, want ${want}`);
    }
    seen.add(number);
    if (order < last) tell(line, `its step ${number} stands after those of L${last + 1}`);
    last = Math.max(last, order);
    for (const part of kept.has(line) ? [] : strangePartsOf(text, row.line))
      tell(line, `got ${part}, which the line does not have`);
    const heads = headsOf(number, steps);
    const strange = heads.find((one) => !row.path.includes(one));
    if (strange) tell(line, `its step ${number} stands under ${strange}, which the line does not`);
    const missing = row.path.find((one) => one !== line && !heads.includes(one));
    if (missing) tell(line, `its step ${number} does not stand under ${missing}`);
    const [target] = slotsOf('go', text) ?? [];
    if (target === undefined || kept.has(line) || steps.has(fullNumber(target))) continue;
    tell(line, `got a jump to ${target}, want the number of a step`);
  }
  for (const {
    id: line,
    line: { text },
  } of rows) {
    const own = proposed.filter((step) => step.line === line);
    if (own.length === 0) tell(line, 'it has no step');
    const words = own.map((step) => step.text).join('\n');
    const lost = variablesIn(text).find((name) => !variablesIn(words).includes(name));
    if (own.length > 0 && lost) tell(line, `none of its steps has ${lost}`);
  }
  return problems;
}

/** The lines of the steps that a step stands under. */
function headsOf(number: string, steps: Work['steps']): string[] {
  const head = steps.get(headOf(number));
  return head ? [...headsOf(head.number, steps), head.row.id] : [];
}

const fullNumber = (number: string): string =>
  number
    .split('.')
    .map((part) => part.padStart(2, '0'))
    .join('.');

const variablesIn = (text: string): readonly string[] => text.match(/\$\p{XIDS}\p{XIDC}*/gu) ?? [];

/** Texts in quotes and numbers of a step that its line does not have. */
function strangePartsOf(text: string, { block = '', text: line }: SourceLine): readonly string[] {
  if (slotsOf('go', text)) return [];
  const quotes = [...text.matchAll(quoted)].map(([all]) => all);
  const numbers = text.replace(quoted, '').match(number) ?? [];
  const source = `${line}\n${block}`;
  const known: ReadonlySet<string> = new Set(source.match(number));
  return [
    ...quotes.filter((quote) => !source.includes(quote.slice(1, -1))),
    ...numbers.filter((one) => !known.has(one)),
  ];
}

const quoted = /"(?:\\.|[^"\\])*"/g;
const number = /(?<![\p{XIDC}$.])\d+(?:\.\d+)?(?!\p{XIDC})/gu;

/** Lines with problems stay as they are written; all of them where that has not helped. */
function revert(work: Work, problems: readonly ProposalProblem[]): boolean {
  const { id, kept } = work;
  const before = kept.size;
  const own = problems.filter(({ playbook }) => playbook === id);
  if (own.some(({ line }) => line === '' || kept.has(line))) keepAll(work);
  for (const { line } of own) if (line !== '') kept.add(line);
  return kept.size > before;
}

function keepAll({ kept, rows }: Work): void {
  for (const { id } of rows) kept.add(id);
}

function withSteps(file: PlaybookFile, works: readonly Work[]): PlaybookFile {
  const lines = new Map(works.map((work) => [work.playbook, linesOf(work)]));
  return {
    ...file,
    agents: file.agents.map((agent) => ({
      ...agent,
      playbooks: agent.playbooks.map((playbook) => {
        return { ...playbook, steps: lines.get(playbook) ?? playbook.steps };
      }),
    })),
  };
}

/** The lines of a playbook, each with its steps or as it is written, with the numbers of jumps. */
function linesOf({ kept, playbook, rows, top }: Work): SourceLine[] {
  const rowOf = new Map(rows.map((row) => [row.line, row]));
  const stepsOf = Map.groupBy(allOf(top), ({ row }) => row.id);
  const build = (lines: readonly SourceLine[]): Step[] =>
    lines.flatMap((line) => {
      const row = rowOf.get(line);
      if (!row) return [];
      const { id, number } = row;
      if (kept.has(id)) {
        return [{ row, number, text: line.text, children: build(line.children), isKept: true }];
      }
      let isPlaced = false;
      const inner = (step: Step): Step => ({
        ...step,
        children: step.children.flatMap((child) => {
          if (child.row.id === id) return [inner(child)];
          if (isPlaced) return [];
          isPlaced = true;
          return build(line.children);
        }),
      });
      const own = stepsOf.get(id) ?? [];
      const nested = new Set(own.flatMap(({ children }) => children));
      const placed = own.filter((step) => !nested.has(step)).map(inner);
      if (!isPlaced) placed.at(-1)?.children.push(...build(line.children));
      return placed;
    });
  const tree = build(playbook.steps);
  const numbers = numbersIn(tree);
  const targets = new Map<string, string>();
  for (const [step, number] of numbers) {
    const first = `${step.row.number} source`;
    if (!targets.has(first)) targets.set(first, number);
    if (!step.isKept) targets.set(step.number, number);
  }
  // A jump to a step of a line that stays as it is written goes to that line.
  for (const step of allOf(top)) {
    const number = targets.get(`${step.row.number} source`);
    if (number !== undefined && !targets.has(step.number)) targets.set(step.number, number);
  }
  const seen = new Set<string>();
  const lineFrom = ({ children, isKept, row, text }: Step): SourceLine => {
    const [target] = slotsOf('go', text) ?? [];
    const key = target === undefined ? '' : `${fullNumber(target)}${isKept ? ' source' : ''}`;
    const number = targets.get(key);
    const isFirst = !seen.has(row.id);
    seen.add(row.id);
    const { block, place } = row.line;
    return {
      text: number === undefined ? text : `Go to step ${number}`,
      ...(block !== undefined && isFirst && { block }),
      place,
      children: children.map(lineFrom),
    };
  };
  return tree.map(lineFrom);
}

const allOf = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => [step, ...allOf(step.children)]);

const numbersIn = (steps: readonly Step[], above = ''): (readonly [Step, string])[] =>
  steps.flatMap((step, at) => {
    const number = `${above}${padded(at + 1)}`;
    return [[step, number] as const, ...numbersIn(step.children, `${number}.`)];
  });

type Found = ReturnType<typeof checkCompiled>[number];

/** What counts in a proposal besides errors. */
const minded: ReadonlySet<string> = new Set(
  (
    [
      ...(['unreachable', 'noEnd', 'emptyBlock', 'unknownNote', 'unknownTarget'] as const),
      ...(['extraArgument', 'missingArgument', 'unsetVariable', 'perhapsUnset'] as const),
      ...(['unfilled', 'endlessLoop', 'unknownType', 'bareArithmetic'] as const),
    ] as const
  ).map((name) => codeByName[name]),
);

const problemsOf = (compiled: CompiledFile, tools: readonly ToolSpec[]): Found[] => {
  const environment = { tools: new Map(tools.map((tool) => [tool.name, tool])), inputs: [] };
  const found = checkCompiled(compiled, environment, { most: Infinity });
  return found.filter(({ code, severity }) => severity === 'error' || minded.has(code));
};

const keyOfProblem = ({ code, file = '', line }: Found): string => [code, line, file].join(' ');

/** What is found in a playbook that is not found in its source. */
function problemsIn({ id, playbook, rows }: Work, found: readonly Found[]): ProposalProblem[] {
  return found.flatMap((one) => {
    const isHere = ({ file, line }: SourceLine['place']): boolean =>
      line === one.line && file === one.file;
    const row = rows.find(({ line }) => isHere(line.place));
    if (!row && !isHere(playbook.place)) return [];
    const message = one.message.replace(/^got [\d.]+:[A-Z]{3} /, 'got ');
    const hint = one.hint === undefined ? '' : `: ${one.hint}`;
    return [{ playbook: id, line: row?.id ?? '', message: `${message}${hint}` }];
  });
}

/** Lines that are conditions or loops in the source, and something else now. */
function changedHeads(
  { id, kept, rows }: Work,
  source: CompiledFile,
  compiled: CompiledFile,
): ProposalProblem[] {
  const codes = Map.groupBy(linesIn(compiled), ({ place }) => keyOfPlace(place));
  const written = new Map(linesIn(source).map((line) => [keyOfPlace(line.place), line.code]));
  return rows.flatMap(({ id: line, line: { place } }) => {
    const code = written.get(keyOfPlace(place));
    const isHead = code === 'CND' || code === 'ELS' || code === 'LOP';
    const now = codes.get(keyOfPlace(place))?.map((one) => one.code) ?? [];
    if (kept.has(line) || !isHead || now.includes(code)) return [];
    return [{ playbook: id, line, message: `got ${now.join(', ')}, want the ${code} of the line` }];
  });
}
