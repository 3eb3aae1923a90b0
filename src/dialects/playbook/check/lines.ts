/** Lines that call what there is not, that no way comes to, or that mean nothing where they are. */
import { nearest } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Line } from '../compiled.ts';
import { isBareArithmetic } from '../grammar/expression.ts';
import type { LineNames } from '../grammar/forms.ts';
import { isKeyword } from '../grammar/keywords.ts';
import { expressionsIn } from '../link/flow.ts';
import { type Graph, isOtherCase } from '../link/graph.ts';
import { type Details, error, type Report, warn } from '../report.ts';
import type { Place } from '../source/tree.ts';

/** A playbook as its lines are checked. */
export interface LineChecks {
  readonly playbook: CompiledPlaybook;
  readonly graph: Graph;
  /** The numbers of the lines that some way comes to, and '' for the end. */
  readonly reached: ReadonlySet<string>;
  readonly agent: CompiledAgent;
  readonly file: CompiledFile;
  readonly names: LineNames;
  readonly environment: Environment;
  readonly report: Report;
}

export function checkLines(checks: LineChecks): void {
  const { graph, playbook, reached, report } = checks;
  const ways = [...graph.edges.values()].flat();
  const otherCases = new Set(ways.flatMap(({ kind, to }) => (kind === 'false' ? [to] : [])));
  let isAfterLost = false;
  for (const line of graph.lines.values()) {
    const { does, number, place } = line;
    const at = { step: `${playbook.name}:${number}` };
    const isLost = !reached.has(number);
    if (isLost && !isAfterLost) {
      const message = `got ${shown(line)}, which no way through the lines comes to`;
      warn(report, 'unreachable', place, message, at);
    }
    isAfterLost = isLost;
    if (isOtherCase(line) && !otherCases.has(number)) {
      error(report, 'elseless', place, `got ${shown(line)}, want a condition before it`, at);
    }
    if (does.is === 'open' && does.calls !== undefined) checkName(does.calls, place, checks, at);
    checkArguments(line, checks, at);
    checkJump(line, graph, report, at);
    for (const expression of expressionsIn(does)) {
      if (!isBareArithmetic(expression)) continue;
      const message = `got ${expression.source}, which is computed`;
      const hint = `write "${expression.source}" for the text`;
      warn(report, 'bareArithmetic', place, message, { ...at, hint });
    }
  }
  if (!reached.has('')) {
    const message = 'got lines that go round for ever, want one that leads to the end';
    warn(report, 'noEnd', playbook.place, message, { step: playbook.name });
  }
}

const shown = ({ code, number, text }: Line): string =>
  `${number}:${code} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`.trim();

/** Of a call of what there is not, or of what other agents may not call. */
function checkName(name: string, place: Place, checks: LineChecks, at: Details): void {
  const { environment, file, names, report } = checks;
  const [owner, title] = name.split('.');
  const other = file.agents.find((agent) => agent.name === owner);
  const isOfServer = (callee: string): boolean => callee.startsWith(`${owner}.`);
  if (other?.kind === 'mcp' && ![...names.callees.keys()].some(isOfServer)) return;
  if (other?.playbooks.some((playbook) => playbook.name === title)) {
    const message = `${name} is not public, and belongs to another agent`;
    const hint = 'write public: true under its heading';
    error(report, 'notPublic', place, message, { ...at, hint });
  } else {
    const hint = (): string => {
      const near = nearest(name, names.callees.keys());
      const want = 'want the name of a playbook, of a function or of a tool';
      return near === undefined ? want : `did you mean ${near}?`;
    };
    const message = `there is no playbook, function or tool ${name}`;
    const tell = environment.open ? warn : error;
    tell(report, 'unknownCall', place, message, { ...at, hint, unknown: name });
  }
}

function checkArguments({ does, place }: Line, checks: LineChecks, at: Details): void {
  const { agent, names, report } = checks;
  const call = does.is === 'call' ? does : does.is === 'return' ? does.call : undefined;
  const callee = call && names.callees.get(call.callee.name);
  if (!call || !callee) return;
  const { kind, parameters, takesMore } = callee;
  const name = callee.name.replace(`${agent.name}.`, '');
  const known = new Set(parameters.map((parameter) => parameter.name));
  // A tool that names no parameters may take any.
  const isAnything = takesMore || (kind === 'tool' && known.size === 0);
  for (const [key, { source }] of Object.entries(call.args)) {
    if (known.has(key) || isAnything) continue;
    const about = /^\d/.test(key) ? source : key;
    const hint = known.size === 0 ? 'it has none' : `it has ${[...known].join(', ')}`;
    const message = `got the argument ${about} for ${name}, which has no such parameter`;
    warn(report, 'extraArgument', place, message, { ...at, hint });
  }
  for (const parameter of parameters) {
    if (!parameter.isRequired || parameter.name in call.args) continue;
    const message = `got no ${parameter.name} for ${name}, which needs it`;
    warn(report, 'missingArgument', place, message, at);
  }
}

/** Jumps to a line that there is not, or out of a loop that there is not. */
function checkJump({ does, place, text }: Line, graph: Graph, report: Report, at: Details): void {
  if (does.is === 'go' && /^\d/.test(does.to) && !graph.lines.has(does.to)) {
    const hint = () => `the lines are ${[...graph.lines.keys()].slice(0, 20).join(', ')}`;
    error(report, 'badJump', place, `got a jump to ${does.to}, want a line`, { ...at, hint });
  }
  const isBreak = isKeyword('break', text);
  if (does.is !== 'open' || !(isBreak || isKeyword('continue', text))) return;
  // A line that says to go on may mean just that.
  const tell = isBreak ? error : warn;
  const message = 'got a line of a loop, which stands in none';
  const hint = 'write Return to end the playbook, End program to end all';
  tell(report, 'badJump', place, message, { ...at, hint });
}
