/**
 * Steps that a model proposes for the lines of playbooks, verified by code alone. Each step names
 * its line, so that order, blocks and numbers are those of the source. Quotes, numbers and
 * variables of a step are those of its line. Nothing may be wrong that is not wrong with the
 * source. A line whose steps do not hold stays as it is written, alone.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { ToolSpec } from '../../../program/effect.ts';
import { compilePlaybooks } from '../compile/compile.ts';
import {
  type CompiledFile,
  type CompiledPlaybook,
  flatLines,
  isMachines,
  type Line,
} from '../compiled.ts';
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

/** Steps in the place of lines, by the number of the line. */
type Steps = ReadonlyMap<string, readonly ProposedStep[]>;

/**
 * Proposals are by the ids of playbooks: `Desk.Main`. The steps of one line after the other take
 * its place where that adds no problem to those of the source.
 */
export function verifyProposal(
  file: PlaybookFile,
  proposal: ReadonlyMap<string, readonly ProposedStep[]>,
  tools: readonly ToolSpec[],
): Verified {
  const source = compilePlaybooks(file, tools);
  const known = new Set(problemsOf(source, tools).map(keyOfProblem));
  const problems: string[] = [];
  let compiled = source;
  let steps = file;
  for (const { id, playbook } of source.agents.flatMap(playbooksOf)) {
    const lines = new Map(flatLines(playbook.lines).map((line) => [line.number, line]));
    const proposed = Map.groupBy(proposal.get(id) ?? [], ({ line }) => line);
    const taken = new Map<string, readonly ProposedStep[]>();
    for (const line of [...lines.values()].filter((one) => !isMachines(one))) {
      const { number } = line;
      const own = proposed.get(number) ?? [];
      const wrong = wrongWords(own, line, lines);
      if (wrong.length === 0) {
        const changed = withSteps(steps, id, linesOf(playbook, taken.set(number, own)));
        const made = compilePlaybooks(changed, tools);
        const added = problemsOf(made, tools).filter((one) => !known.has(keyOfProblem(one)));
        wrong.push(...wrongMeanings(line, made), ...added.map(problemText));
        if (wrong.length === 0) compiled = made;
        else taken.delete(number);
      }
      problems.push(...wrong.map((why) => `${id}:${number}: ${why}`));
    }
    steps = withSteps(steps, id, linesOf(playbook, taken));
    const strange = [...proposed.keys()].find((number) => !lines.has(number));
    if (strange !== undefined) {
      const [first, last] = [[...lines.keys()][0], [...lines.keys()].at(-1)];
      problems.push(`${id}:${strange}: got a step of ${strange}, want one of ${first} to ${last}`);
    }
  }
  return { compiled, problems };
}

const playbooksOf = (agent: CompiledFile['agents'][number]) =>
  agent.playbooks.map((playbook) => ({ id: playbookId(agent, playbook), playbook }));

/** What is wrong with the steps of a line by their words alone. */
function wrongWords(
  own: readonly ProposedStep[],
  line: Line,
  lines: ReadonlyMap<string, Line>,
): string[] {
  if (own.length === 0) return ['it has no step'];
  const variables = new Set(own.flatMap(({ text }) => variablesIn(text)));
  const lost = variablesIn(line.text).find((variable) => !variables.has(variable));
  return [
    ...own.flatMap((step) => {
      const goal = target(step);
      if (goal !== undefined) {
        return lines.has(goal) ? [] : [`got a jump to ${goal}, want the number of a line`];
      }
      const parts = strangePartsOf(step.text, line);
      return parts.map((part) => `got ${part}, which the line does not have`);
    }),
    ...(lost === undefined ? [] : [`none of its steps has ${lost}`]),
  ];
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

/** The file with other lines for one of its playbooks. */
const withSteps = (file: PlaybookFile, id: string, steps: readonly SourceLine[]): PlaybookFile => ({
  ...file,
  agents: file.agents.map((agent) => ({
    ...agent,
    playbooks: agent.playbooks.map((playbook) =>
      playbookId(agent, playbook) === id ? { ...playbook, steps } : playbook,
    ),
  })),
});

interface Step extends SourceLine {
  text: string;
  /** The number of its line. */
  readonly line: string;
  /** Of a jump the number of the line to go on at. */
  readonly target: string | undefined;
  readonly children: Step[];
}

/** The lines of a playbook; the steps of one with those of the lines under it under its last. */
function linesOf(playbook: CompiledPlaybook, steps: Steps): readonly SourceLine[] {
  const stepsOf = ({ block, children, does, number, place, text }: Line): Step[] => {
    const asWritten = { text, depth: 0, target: does.is === 'go' ? does.to : undefined };
    const proposed = steps.get(number)?.map((step) => {
      return { ...step, text: spelledToday(step.code, step.text), target: target(step) };
    });
    const own: Step[] = [];
    const path: Step[] = [];
    for (const { depth, ...said } of proposed ?? [asWritten]) {
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
  const tree = playbook.lines.flatMap(stepsOf);
  const numbers = new Map<string, string>();
  const numbered = (siblings: readonly Step[], above: string): Step[] =>
    siblings.flatMap((step, order) => {
      const own = `${above}${String(order + 1).padStart(2, '0')}`;
      if (!numbers.has(step.line)) numbers.set(step.line, own);
      return [step, ...numbered(step.children, `${own}.`)];
    });
  for (const step of numbered(tree, '')) {
    const number = numbers.get(step.target ?? '');
    if (number !== undefined) step.text = `Go to step ${number}`;
  }
  return tree;
}

function problemsOf(compiled: CompiledFile, tools: readonly ToolSpec[]): readonly Diagnostic[] {
  const environment = { tools: new Map(tools.map((tool) => [tool.name, tool])), inputs: [] };
  return checkCompiled(compiled, environment, Infinity);
}

const keyOfProblem = ({ code, file = '', line }: Diagnostic): string =>
  [code, line, file].join(' ');

function problemText({ hint, message }: Diagnostic): string {
  const text = message.replace(/^got [\d.]+:[A-Z]{3} /, 'got ');
  return hint === undefined ? text : `${text}: ${hint}`;
}

/** Whether a head became something else, or a step is not the form that it looks like. */
function wrongMeanings(line: Line, { agents }: CompiledFile): readonly string[] {
  const keyOf = ({ column, file = '', line: row }: Place): string => [row, column, file].join(' ');
  const steps = agents
    .flatMap(({ playbooks }) => playbooks.flatMap(({ lines }) => flatLines(lines)))
    .filter(({ place }) => keyOf(place) === keyOf(line.place));
  const codes = steps.map(({ code }) => code);
  const isOther = /CND|ELS|LOP/.test(line.code) && !codes.includes(line.code);
  const likely = steps.flatMap((step) => likelyAt(step) ?? []);
  return [
    ...(isOther ? [`got ${codes.join(', ')}, want the ${line.code} of the line`] : []),
    ...likely.filter((why) => why !== likelyAt(line)),
  ];
}

/** Why a line is not the form that it looks like; a call of what there is not is told otherwise. */
const likelyAt = ({ does }: Line): string | undefined =>
  does.is === 'open' && does.calls === undefined ? does.likely : undefined;
