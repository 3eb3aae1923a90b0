/** Lines that call what there is not, that no way comes to, or that mean nothing where they are. */
import { nearest } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import {
  type CompiledAgent,
  type CompiledFile,
  type CompiledPlaybook,
  flatLines,
  isMachines,
  type Line,
} from '../compiled.ts';
import { bareArithmetic } from '../grammar/expression.ts';
import type { LineNames } from '../grammar/forms.ts';
import { isKeyword, type Keyword } from '../grammar/keywords.ts';
import { valueType } from '../grammar/value-type.ts';
import { expressionsOf, keyOf, setsOf } from '../link/flow.ts';
import { type Graph, graphOf, isLoop, isOtherCase, reachedIn } from '../link/graph.ts';
import { type Details, error, type Report, warn } from '../report.ts';

interface Check {
  readonly file: CompiledFile;
  readonly agent: CompiledAgent;
  readonly names: LineNames;
  readonly environment: Environment;
  readonly report: Report;
}

export function checkLines(playbook: CompiledPlaybook, check: Check): void {
  const { report } = check;
  const graph = graphOf(playbook.lines);
  const step = ({ number }: Line): string => `${playbook.name}:${number}`;
  const { isEnding, lines: reached } = reachedIn(withoutEndless(graph));
  let isTold = false;
  for (const line of graph.lines.values()) {
    const { does, number, place } = line;
    const at = { step: step(line) };
    const isLost = !reached.has(number);
    if (isLost && !isTold) {
      const message = `got ${shown(line)}, which no way through the lines comes to`;
      warn(report, 'unreachable', place, message, at);
    }
    isTold = isLost;
    checkCallee(line, check, at);
    checkShape(line, graph, playbook, report, at);
    for (const expression of expressionsOf(does)) {
      const value = bareArithmetic(expression);
      if (value === undefined) continue;
      const message = `got ${expression.source}, which is computed as ${value}`;
      const hint = `write "${expression.source}" for the text`;
      warn(report, 'bareArithmetic', place, message, { ...at, hint, about: expression.source });
    }
    checkRounds(line, report, at);
  }
  checkCases(playbook.lines, report, step);
  checkTypes(playbook, report);
  if (!isEnding) {
    const message = 'got lines that go round for ever, want one that leads to the end';
    warn(report, 'noEnd', playbook.place, message, { step: playbook.name });
  }
}

/** `While True` is left by its lines alone. */
const withoutEndless = (graph: Graph): Graph => ({
  ...graph,
  edges: new Map(
    [...graph.edges].map(([number, edges]) => {
      const does = graph.lines.get(number)?.does;
      const isEndless = does?.is === 'test' && does.kind === 'while' && does.test?.code === 'True';
      return [number, isEndless ? edges.filter(({ kind }) => kind !== 'exit') : edges];
    }),
  ),
});

const shown = ({ code, number, text }: Line): string =>
  `${number}:${code} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`.trim();

function checkCallee({ does, place }: Line, check: Check, at: Details): void {
  const { environment, file, names, report } = check;
  if (does.is === 'open' && does.calls !== undefined) {
    const { calls } = does;
    const [owner, title] = calls.split('.');
    const other = file.agents.find(({ name }) => name === owner);
    const isServer = other?.kind === 'mcp';
    const isListed = [...names.callees.keys()].some((one) => one.startsWith(`${owner}.`));
    if (isServer && !isListed) return;
    if (other?.playbooks.some(({ name }) => name === title)) {
      const message = `${calls} is not public, and belongs to another agent`;
      const hint = 'write public: true under its heading';
      error(report, 'notPublic', place, message, { ...at, hint, about: calls });
      return;
    }
    const tell = environment.open ? warn : error;
    const message = `there is no playbook, function or tool ${calls}`;
    const details = { ...at, hint: hintFor(calls, names), unknown: calls, about: calls };
    tell(report, 'unknownCall', place, message, details);
  }
  const call = does.is === 'call' ? does : does.is === 'return' ? does.call : undefined;
  const callee = call && names.callees.get(call.callee.name);
  if (!call || !callee?.parameters) return;
  const { kind, parameters, takesMore } = callee;
  const name = callee.name.replace(`${check.agent.name}.`, '');
  const known = new Set(parameters.map((parameter) => parameter.name));
  // A tool that names no parameters may take any.
  const isAnything = kind === 'tool' && known.size === 0;
  for (const [key, { source }] of Object.entries(call.args)) {
    if (known.has(key) || takesMore || isAnything) continue;
    const about = /^\d/.test(key) ? source : key;
    const hint = known.size === 0 ? 'it has none' : `it has ${[...known].join(', ')}`;
    const message = `got the argument ${about} for ${name}, which has no such parameter`;
    warn(report, 'extraArgument', place, message, { ...at, hint, about });
  }
  for (const parameter of parameters) {
    if (!parameter.isRequired || parameter.name in call.args) continue;
    const message = `got no ${parameter.name} for ${name}, which needs it`;
    warn(report, 'missingArgument', place, message, { ...at, about: name });
  }
}

const hintFor = (name: string, { callees }: LineNames): string => {
  const near = nearest(name, callees.keys());
  return near === undefined
    ? 'want the name of a playbook, of a function or of a tool'
    : `did you mean ${near}?`;
};

/** Jumps to nowhere, notes that are not there, blocks that are empty, nobody to speak to. */
function checkShape(
  { children, does, place, text }: Line,
  { lines }: Graph,
  { notes }: CompiledPlaybook,
  report: Report,
  at: Details,
): void {
  const isOpen = (...keywords: readonly Keyword[]): boolean =>
    does.is === 'open' && keywords.some((keyword) => isKeyword(keyword, text));
  if (isOpen('break', 'continue')) {
    // A line that says to go on may mean just that.
    const tell = isKeyword('break', text) ? error : warn;
    const hint = 'write Return to end the playbook, End program to end all';
    const message = 'got a line of a loop, which stands in none';
    tell(report, 'badJump', place, message, { ...at, hint });
  } else if (does.is === 'go' && /^\d/.test(does.to) && !lines.has(does.to)) {
    const hint = `the lines are ${[...lines.keys()].slice(0, 20).join(', ')}`;
    error(report, 'badJump', place, `got a jump to ${does.to}, want a line`, { ...at, hint });
  } else if (does.is === 'note' && does.note && !notes.some(({ id }) => id === does.note)) {
    const known = notes.map(({ id }) => id).join(', ');
    const hint = known === '' ? 'there are no notes' : `the notes are ${known}`;
    const message = `got the note ${does.note}, want one of the playbook`;
    warn(report, 'unknownNote', place, message, { ...at, hint });
  } else if (children.length === 0 && !/[,;:]/.test(text) && isOpen(...heads)) {
    const hint = 'what is to be done there stands further in than its line';
    warn(report, 'emptyBlock', place, `got ${text} with nothing under it`, { ...at, hint });
  } else if (does.is === 'open' && nobody.test(does.likely ?? '')) {
    const hint = 'a model does the line as its words say; # NAME:Human declares a person';
    warn(report, 'unknownTarget', place, `got a line to somebody: ${does.likely}`, { ...at, hint });
  } else if (does.is === 'open' && does.likely?.endsWith('cannot be computed')) {
    const hint = 'compute it in a line before, into a variable';
    warn(report, 'unfilled', place, `got a text in quotes in which ${does.likely}`, {
      ...at,
      hint,
    });
  }
}

/** Somebody with a name, not a clause. */
const nobody = /^"(?:[^\s"$]+ ?){1,4}" is nobody in this file$/;

const heads = ['if', 'elif', 'while', 'until', 'times', 'each'] as const;

/** Otherwise follows a condition. */
function checkCases(lines: readonly Line[], report: Report, step: (line: Line) => string): void {
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1]?.does;
    const isAfterCase = before?.is === 'test' && (before.kind === 'if' || before.kind === 'elif');
    if (isOtherCase(line) && !isAfterCase) {
      const message = `got ${shown(line)}, want a condition before it`;
      error(report, 'elseless', line.place, message, { step: step(line) });
    }
    checkCases(line.children, report, step);
  }
}

/** A loop over variables that none of its lines can set, and that none of its lines leaves. */
function checkRounds(line: Line, report: Report, at: Details): void {
  const { children, does, place } = line;
  if (!isLoop(line) || does.is !== 'test' || does.kind === 'times' || !does.test) return;
  const { calls, reads } = does.test;
  const rounds = flatLines(children);
  const set = new Set(rounds.flatMap(setsOf).map(keyOf));
  const isFixed = reads.length > 0 && calls.length === 0 && does.most === undefined;
  const isPlain = (inner: Line): boolean =>
    isMachines(inner) && ['set', 'say', 'note', 'test', 'each'].includes(inner.does.is);
  const computes = rounds.flatMap((inner) => expressionsOf(inner.does).flatMap((one) => one.calls));
  if (!isFixed || !rounds.every(isPlain) || computes.length > 0) return;
  if (rounds.some((inner) => inner.does.is === 'say' && inner.does.waits)) return;
  if (reads.some((read) => set.has(keyOf(read)))) return;
  const names = reads.map(keyOf).join(', ');
  const message = `got a loop while ${names} stays what it is, which its lines do not set`;
  warn(report, 'endlessLoop', place, message, at);
}

/** Types of which nobody knows what values they have. */
function checkTypes(
  { lines, name, parameters, place, returns }: CompiledPlaybook,
  report: Report,
): void {
  const declared = [
    ...parameters.map((one) => ({ of: `${one.name} of ${name}`, type: one.type, place })),
    { of: `what ${name} returns`, type: returns, place },
    ...flatLines(lines).flatMap(({ does, place: at }) => {
      if (does.is === 'ask')
        return does.wants.map((one) => ({ of: one.name, type: one.type, place: at }));
      const to = does.is === 'set' ? does.to : does.is === 'call' ? does.into : undefined;
      const type = does.is === 'set' || does.is === 'call' ? does.type : undefined;
      return to ? [{ of: to.name, type, place: at }] : [];
    }),
  ];
  for (const { of, place: at, type } of declared) {
    const { unknown } = valueType(type ?? 'any');
    if (unknown === undefined) continue;
    const near = nearest(unknown, typeWords);
    const hint = near === undefined ? `such as ${typeWords.join(', ')}` : `did you mean ${near}?`;
    const message = `got the type ${unknown} of ${of}, to which no value is held`;
    warn(report, 'unknownType', at, message, { hint, about: unknown });
  }
}

const typeWords = ['int', 'float', 'str', 'bool', 'list', 'dict', 'any'];
