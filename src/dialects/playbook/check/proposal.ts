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
import { spelledToday } from '../pbasm/read.ts';
import { playbookId } from '../source/models.ts';
import type { Place, PlaybookFile, SourceLine } from '../source/tree.ts';
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

/** A playbook of the source, with what is proposed for it. */
interface Work {
  readonly playbook: string;
  readonly place: Place;
  readonly lines: readonly Line[];
  /** All lines by their names: `L1`. */
  readonly named: ReadonlyMap<string, Line>;
  /** By the names of lines. */
  readonly steps: ReadonlyMap<string, readonly ProposedStep[]>;
  /** Names of lines that stay as they are written. */
  readonly kept: Set<string>;
}

/** In the last round all lines stay as they are written, unless all was well before. */
const roundsMax = 3;

export function verifyProposal(
  file: PlaybookFile,
  proposal: Proposal,
  tools: readonly ToolSpec[],
): Verified {
  const source = compilePlaybooks(file, tools);
  const known = new Set(problemsOf(source, tools).map(keyOfProblem));
  const works = source.agents.flatMap((agent) =>
    agent.playbooks.map(({ lines, name, place }): Work => {
      const playbook = playbookId(agent, { name });
      const named = new Map(flatLines(lines).map((line, order) => [`L${order + 1}`, line]));
      const formal = [...named].flatMap(([id, line]) => (isMachines(line) ? [id] : []));
      const steps = Map.groupBy(proposal.get(playbook) ?? [], ({ line }) => line);
      return { playbook, place, lines, named, steps, kept: new Set(formal) };
    }),
  );
  const problems: ProposalProblem[] = [];
  let wrong = works.flatMap(problemsOfWords);
  for (let round = 1; ; round += 1) {
    problems.push(...wrong);
    for (const work of works) keepLines(work, wrong, round === roundsMax);
    const compiled = compilePlaybooks(withSteps(file, works), tools);
    const added = problemsOf(compiled, tools).filter((one) => !known.has(keyOfProblem(one)));
    const lines = compiled.agents.flatMap(({ playbooks }) =>
      playbooks.flatMap((playbook) => flatLines(playbook.lines)),
    );
    const stepsAt = Map.groupBy(lines, ({ place }) => keyOf(place));
    wrong = works.flatMap((work) => [...otherMeanings(work, stepsAt), ...problemsIn(work, added)]);
    if (wrong.length === 0 || round === roundsMax) return { compiled, problems };
  }
}

const keyOf = ({ column, file = '', line }: Place): string => [line, column, file].join(' ');

/** What is wrong with steps by their words alone. */
function problemsOfWords({ kept, named, playbook, steps }: Work): ProposalProblem[] {
  const problems = [...named].flatMap(([line, source]): { line: string; message: string }[] => {
    if (kept.has(line)) return [];
    const own = steps.get(line);
    if (!own) return [{ line, message: 'it has no step' }];
    const inSteps = new Set(own.flatMap(({ text }) => variablesIn(text)));
    const lost = variablesIn(source.text).find((name) => !inSteps.has(name));
    return [
      ...own.flatMap((step) =>
        target(step) === undefined
          ? strangePartsOf(step.text, source).map((part) => {
              return { line, message: `got ${part}, which the line does not have` };
            })
          : named.has(step.text)
            ? []
            : [{ line, message: `got a jump to ${step.text}, want the name of a line` }],
      ),
      ...(lost === undefined ? [] : [{ line, message: `none of its steps has ${lost}` }]),
    ];
  });
  const strange = [...steps.keys()].find((line) => !named.has(line));
  if (strange !== undefined) {
    const message = `got a step of ${strange}, want one of L1 to L${named.size}`;
    problems.push({ line: strange, message });
  }
  return problems.map((problem) => ({ playbook, ...problem }));
}

/** The line that a step jumps to. */
const target = ({ code, text }: ProposedStep): string | undefined =>
  code === 'JMP' && /^L\d/.test(text) ? text : undefined;

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

/** Lines with problems stay as they are written; all of them where that does not help. */
function keepLines(work: Work, problems: readonly ProposalProblem[], isLast: boolean): void {
  const { kept, named, playbook } = work;
  const wrong = problems.filter((problem) => problem.playbook === playbook);
  const isHelpless = wrong.some(({ line }) => line === '' || kept.has(line));
  const isAll = isHelpless || (isLast && problems.length > 0);
  for (const line of isAll ? named.keys() : wrong.map(({ line }) => line)) kept.add(line);
}

function withSteps(file: PlaybookFile, works: readonly Work[]): PlaybookFile {
  const workOf = new Map(works.map((work) => [work.playbook, work]));
  const agents = file.agents.map((agent) => ({
    ...agent,
    playbooks: agent.playbooks.map((playbook) => {
      const work = workOf.get(playbookId(agent, playbook));
      return work ? { ...playbook, steps: linesOf(work) } : playbook;
    }),
  }));
  return { ...file, agents };
}

interface Step {
  readonly text: string;
  readonly line: Line;
  /** Of a jump the line to go on at. */
  readonly target: Line | undefined;
  readonly children: Step[];
}

/** The steps of a playbook, each line's with those of the lines under it under its last one. */
function linesOf({ kept, lines, named, steps }: Work): readonly SourceLine[] {
  const nameOf = new Map([...named].map(([name, line]) => [line, name]));
  const lineAt = new Map([...named.values()].map((line) => [line.number, line]));
  const stepsOf = (line: Line): Step[] => {
    const under = line.children.flatMap(stepsOf);
    const name = nameOf.get(line) ?? '';
    if (kept.has(name)) {
      const goal = line.does.is === 'go' ? lineAt.get(line.does.to) : undefined;
      return [{ text: line.text, line, target: goal, children: under }];
    }
    const own: Step[] = [];
    const path: Step[] = [];
    for (const proposed of steps.get(name) ?? []) {
      const text = spelledToday(proposed.code, proposed.text);
      const step = { text, line, target: named.get(target(proposed) ?? ''), children: [] };
      path.length = Math.min(path.length, proposed.depth);
      (path.at(-1)?.children ?? own).push(step);
      path.push(step);
    }
    path.at(-1)?.children.push(...under);
    return own;
  };
  const tree = lines.flatMap(stepsOf);
  const firsts = new Map<Line, { readonly step: Step; readonly number: string }>();
  const number = (siblings: readonly Step[], above: string): void => {
    for (const [order, step] of siblings.entries()) {
      const own = `${above}${String(order + 1).padStart(2, '0')}`;
      if (!firsts.has(step.line)) firsts.set(step.line, { step, number: own });
      number(step.children, `${own}.`);
    }
  };
  number(tree, '');
  const lineOf = (step: Step): SourceLine => {
    const { block, place } = step.line;
    const goal = step.target && firsts.get(step.target);
    const hasBlock = block !== undefined && firsts.get(step.line)?.step === step;
    return {
      text: goal ? `Go to step ${goal.number}` : step.text,
      ...(hasBlock && { block }),
      place,
      children: step.children.map(lineOf),
    };
  };
  return tree.map(lineOf);
}

function problemsOf(compiled: CompiledFile, tools: readonly ToolSpec[]): readonly Diagnostic[] {
  const environment = { tools: new Map(tools.map((tool) => [tool.name, tool])), inputs: [] };
  return checkCompiled(compiled, environment, Infinity);
}

const keyOfProblem = ({ code, file = '', line }: Diagnostic): string =>
  [code, line, file].join(' ');

/** What is found in a playbook that is not found in its source. */
function problemsIn({ named, place, playbook }: Work, found: readonly Diagnostic[]) {
  const rowOf = ({ file = '', line }: Omit<Place, 'column'>): string => `${line} ${file}`;
  const rows = new Map([...named].map(([name, line]) => [rowOf(line.place), name]));
  return found.flatMap((diagnostic): ProposalProblem[] => {
    const { hint, message } = diagnostic;
    const line = rows.get(rowOf(diagnostic));
    if (line === undefined && rowOf(diagnostic) !== rowOf(place)) return [];
    const text = message.replace(/^got [\d.]+:[A-Z]{3} /, 'got ');
    return [{ playbook, line: line ?? '', message: hint ? `${text}: ${hint}` : text }];
  });
}

/** Lines that are not a form though they look like one, and heads that are something else now. */
function otherMeanings(
  { kept, named, playbook }: Work,
  stepsAt: ReadonlyMap<string, readonly Line[]>,
): ProposalProblem[] {
  const likelyAt = ({ does }: Line): string | undefined =>
    does.is === 'open' && does.calls === undefined ? does.likely : undefined;
  return [...named].flatMap(([line, source]) => {
    if (kept.has(line)) return [];
    const steps = stepsAt.get(keyOf(source.place)) ?? [];
    const codes = steps.map(({ code }) => code);
    const isOther = /CND|ELS|LOP/.test(source.code) && !codes.includes(source.code);
    const messages = isOther
      ? [`got ${codes.join(', ')}, want the ${source.code} of the line`]
      : steps.flatMap((step) => likelyAt(step) ?? []).filter((why) => why !== likelyAt(source));
    return messages.map((message) => ({ playbook, line, message }));
  });
}
