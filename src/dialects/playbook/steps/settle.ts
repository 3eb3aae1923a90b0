/**
 * Lines that only a model can understand: which they are, and what becomes of them once one has
 * said it. What a model says is verified; a line of which that does not hold stays as it was.
 */
import type { CompiledFile, CompiledPlaybook, Step, StepCode } from '../compiled/compiled.ts';
import { graphOf } from '../compiled/graph.ts';
import { report } from '../report.ts';
import { readList } from '../source/list.ts';
import { readMarkdown } from '../source/markdown.ts';
import type { Place, SourceLine } from '../source/tree.ts';
import { argumentsIn } from '../text/calls.ts';
import { type Draft, draft, jump, localsOf, numbered } from './draft.ts';
import { effectsOf } from './effects.ts';
import { inventedIn, namedIn, setBy } from './invented.ts';
import { type Names, namesFor, ownCallees } from './names.ts';
import { meaningOf } from './step-text.ts';
import { withYields } from './yields.ts';

export interface OpenLine {
  /** `Agent.Playbook:03.01`. */
  readonly at: string;
  readonly text: string;
  readonly place: Place;
}

/** In the order of the text. */
export function openLines({ agents }: CompiledFile): OpenLine[] {
  return agents.flatMap((agent) =>
    agent.playbooks.flatMap((playbook) =>
      [...graphOf(playbook.steps).steps.values()].flatMap(({ isAmbiguous, number, place, text }) =>
        isAmbiguous ? [{ at: `${agent.name}.${playbook.name}:${number}`, text, place }] : [],
      ),
    ),
  );
}

export interface Settled {
  readonly file: CompiledFile;
  readonly problems: readonly SettleProblem[];
}

export interface SettleProblem {
  readonly at: string;
  /** One sentence: *got X, want Y*. */
  readonly message: string;
}

/**
 * Puts the steps that a model has made of lines in their places: by the names of `openLines`, each
 * a list of steps without numbers, `QUE $bikes = FreeBikes($day)`, blocks indented by two blanks.
 * Yields are set anew and steps numbered anew.
 */
export function settle(
  file: CompiledFile,
  answers: ReadonlyMap<string, readonly string[]>,
  tools: Iterable<string> = [],
): Settled {
  const problems: SettleProblem[] = [];
  const known = [...tools];
  const open = new Set(openLines(file).map(({ at }) => at));
  for (const at of answers.keys()) {
    if (!open.has(at))
      problems.push({ at, message: `got the line ${at}, want one that was asked` });
  }
  const variables = new Set([...namedIn(file), ...setIn(answers)]);
  const agents = file.agents.map((agent) => {
    const names = namesFor(agent, file, known);
    const bodies = new Map(
      agent.playbooks.map((playbook) => {
        const settling: Settling = {
          id: `${agent.name}.${playbook.name}`,
          answers,
          names,
          variables,
          problems,
        };
        const drafts = playbook.steps.flatMap((step) => settledStep(step, settling, false));
        const locals = localsOf(drafts, playbook.parameters);
        return [playbook.name, { drafts, locals, isOpen: playbook.mode !== 'steps' }] as const;
      }),
    );
    const effects = effectsOf(bodies, agent.name);
    const playbooks = agent.playbooks.map((playbook): CompiledPlaybook => {
      const body = bodies.get(playbook.name);
      if (!body) return playbook;
      const { drafts, locals } = body;
      return {
        ...playbook,
        steps: numbered(withYields(drafts, { names, locals, effects }), locals),
      };
    });
    return { ...agent, playbooks };
  });
  return { file: { ...file, agents }, problems };
}

interface Settling {
  readonly id: string;
  readonly answers: ReadonlyMap<string, readonly string[]>;
  readonly names: Names;
  /** All that something of the program sets or names, and all that the answers set. */
  readonly variables: ReadonlySet<string>;
  readonly problems: SettleProblem[];
}

function settledStep(step: Step, settling: Settling, isInLoop: boolean): Draft[] {
  const at = `${settling.id}:${step.number}`;
  const isInside = isInLoop || step.code === 'LOP';
  const children = step.children.flatMap((child) => settledStep(child, settling, isInside));
  const { code, isAmbiguous, jump, number: was, place, text } = step;
  const own: Draft = {
    ...{ code, text, children, place, was },
    ...(isAmbiguous ? { isAmbiguous } : {}),
    ...(code === 'JMP' && jump !== undefined
      ? { target: { to: 'number', number: jump } as const }
      : {}),
  };
  const answer = isAmbiguous ? settling.answers.get(at) : undefined;
  if (!answer) return [own];
  const read = answeredSteps(answer, { place, names: settling.names, isInLoop });
  const isNothing = read.drafts.length === 0 && read.problems.length === 0;
  const invented = inventedIn(read.drafts, settling.variables).map(
    (name) => `got ${name}, which nothing sets, want a variable that there is`,
  );
  const problems = isNothing ? [nothing] : [...read.problems, ...invented];
  if (problems.length > 0) {
    for (const message of problems) settling.problems.push({ at, message });
    return [own];
  }
  const [first, ...rest] = read.drafts;
  if (!first) return [own];
  const last = rest.pop();
  // What stood under the line stands under the last of its steps.
  if (!last) return [{ ...first, was, children: [...first.children, ...children] }];
  return [{ ...first, was }, ...rest, { ...last, children: [...last.children, ...children] }];
}

const nothing = 'got no steps, want at least one';

interface Answered {
  readonly drafts: readonly Draft[];
  readonly problems: readonly string[];
}

/** What is known of the line that an answer is for. */
interface Asked {
  readonly place: Place;
  readonly names: Names;
  readonly isInLoop: boolean;
}

function answeredSteps(lines: readonly string[], asked: Asked): Answered {
  const items = lines.flatMap((line) => line.split('\n')).map(asItem);
  const problems: string[] = [];
  const list = readList(readMarkdown(items.join('\n')).lines, report());
  const drafts = list.flatMap((line) => answered(line, asked, problems));
  return { drafts, problems };
}

const asItem = (line: string): string =>
  /^\s*-\s/.test(line) ? line : line.replace(/^(\s*)/, '$1- ');

const form = /^(?:[\d.]+\s*:\s*)?(EXE|QUE|CND|ELS|LOP|CHK|RET|JMP|YLD|TNK)\b:?\s*([\s\S]*)$/;

/** Jumps that a line may be made of: out of the loop that it is in, or to its next round. */
const leaving: ReadonlyMap<string, 'after' | 'head'> = new Map([
  ['break', 'after'],
  ['continue', 'head'],
]);

/** What the steps of answers set, by which other lines may go. */
const setIn = (answers: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  [...answers.values()].flat().flatMap((answer) =>
    answer.split('\n').flatMap((line) => {
      const { code, text } = codeIn(line.replace(/^\s*-\s+/, '').trim());
      return code === undefined ? [] : setBy({ code, text });
    }),
  );

interface Coded {
  /** Absent where a text has none. */
  readonly code?: StepCode;
  readonly text: string;
}

function codeIn(line: string): Coded {
  const [, code, rest = ''] = form.exec(line.replace(/^`(.*)`$/, '$1')) ?? [];
  return code === undefined ? { text: line } : { code: code as StepCode, text: rest.trim() };
}

function answered(
  { children, text }: SourceLine,
  { place, names, isInLoop }: Asked,
  problems: string[],
): Draft[] {
  const { code, text: rest } = codeIn(text);
  if (code === undefined) {
    problems.push(`got ${text}, want a code before the text, as in QUE Search($q)`);
    return [];
  }
  if (code === 'JMP') {
    const to = leaving.get(rest.toLowerCase());
    if (to && isInLoop) return [jump({ to }, place)];
    problems.push(
      to
        ? `got JMP ${rest}, want it for a line in a loop`
        : `got JMP ${rest}, want JMP break or JMP continue: loops come back by themselves`,
    );
    return [];
  }
  const made = draft(code, rest, place);
  problems.push(...wrongIn(made, names));
  const within = { place, names, isInLoop: isInLoop || code === 'LOP' };
  const inner = children.flatMap((child) => answered(child, within, problems));
  const back = jump({ to: 'head' }, place);
  return [{ ...made, children: code === 'LOP' ? [...inner, back] : inner }];
}

/** Nothing may be called that there is not, and a call is one and nothing else. */
function wrongIn({ code, text }: Draft, { callees }: Names): string[] {
  const { call, say } = meaningOf(code, text, new Set());
  if (code === 'QUE' && !call && !say) return [`got QUE ${text}, want a call, as in Search($q)`];
  if (!call || ownCallees.has(call.callee)) return [];
  const callee = callees.get(call.callee);
  if (!callee) return [`got a call of ${call.callee}, want a playbook, function or tool there is`];
  const parameters = callee.parameters?.map((name) => name.replace('$', ''));
  const unknown = argumentsIn(call.args).flatMap(({ name }) => {
    const plain = name?.replace('$', '');
    if (plain === undefined || !parameters || callee.takesMore) return [];
    return parameters.includes(plain) ? [] : [plain];
  });
  return unknown.map((name) => `got the argument ${name} for ${call.callee}, which has none such`);
}
