/**
 * What can be said of compiled playbooks before they run: calls of what there is not, lines that
 * are never reached, variables that nothing sets, triggers that cannot fire.
 */
import { type Diagnostic, nearest } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import type { CodeName } from '../codes.ts';
import { namesOf } from '../compile/names.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook } from '../compiled.ts';
import { formOf, type LineNames } from '../grammar/forms.ts';
import { graphOf, targetsIn, walk } from '../link/graph.ts';
import { error, found, report as newReport, type Report, take, warn } from '../report.ts';
import { readCode } from '../source/code.ts';
import { checkCode } from './code.ts';
import { checkHeads } from './heads.ts';
import { checkLines } from './lines.ts';
import { checkVariables, settersOf } from './variables.ts';

/** `most` is how many of one code are listed. */
export function checkCompiled(
  file: CompiledFile,
  environment: Environment,
  most?: number,
): Diagnostic[] {
  const report = newReport(most);
  const playing = file.agents.filter(({ kind }) => kind === 'ai');
  const playbooks = playing.flatMap((agent) => agent.playbooks);
  const [first] = playbooks;
  if (!first) {
    const want = 'want # and the name of an agent, then ## and one of a playbook';
    error(report, 'noPlaybook', { line: 1, column: 1 }, `got no playbook, ${want}`);
    return found(report);
  }
  checkDuplicates(file.agents, 'duplicateAgent', report);
  for (const agent of playing) checkAgent(agent, file, environment, report);
  const unlisted = file.agents.filter(
    (agent) => agent.kind === 'mcp' && !isListed(agent, environment),
  );
  for (const { name, place } of unlisted) {
    const message = `what ${name} offers is not known here, so calls of it are not checked`;
    warn(report, 'unknownServer', place, message, { hint: 'a run asks it before it starts' });
  }
  const servers = unlisted.map(({ name }) => name);
  checkCode(file, environment, servers, report);
  checkHeads(file, environment, report);
  const isBeginning = playbooks.some(({ triggers }) =>
    triggers.some(({ clock, code, names }) => code !== 'CND' || names.length === 0 || clock),
  );
  if (!isBeginning) {
    const message = 'no playbook begins when the program starts';
    const hint = 'give one a trigger: ### Triggers, then - At the beginning';
    warn(report, 'neverBegins', first.place, message, { hint });
  }
  return found(report);
}

function checkAgent(
  agent: CompiledAgent,
  file: CompiledFile,
  environment: Environment,
  report: Report,
): void {
  checkDuplicates(agent.playbooks, 'duplicatePlaybook', report);
  const blocks = agent.code.map(readCode);
  const problems = blocks.flatMap(({ diagnostics }) => diagnostics);
  for (const problem of problems) take(report, problem);
  const functions = blocks.flatMap((block) => block.functions.map(({ name }) => name));
  const names = namesOf(agent, file.agents, environment.tools.values());
  const setters = settersOf(agent, environment.inputs);
  for (const playbook of agent.playbooks) {
    const { mode, name, place } = playbook;
    if (mode === 'code' && problems.length === 0 && !functions.includes(name)) {
      const near = nearest(name, functions);
      const hint = near === undefined ? undefined : `did you mean ${near}?`;
      const message = `got a playbook of mode code, want a function ${name} in a block`;
      error(report, 'unknownCall', place, message, { hint });
    }
    const own = names(playbook);
    checkName(playbook, own, report);
    const graph = graphOf(playbook.lines);
    const reached = walk([graph.first], targetsIn(graph));
    const checks = { playbook, graph, reached, agent, file, names: own, environment, report };
    checkLines(checks);
    checkVariables(checks, setters);
  }
}

/** Whether it is known what a server offers. */
const isListed = ({ name }: CompiledAgent, { tools }: Environment): boolean =>
  [...tools.values()].some((tool) =>
    [tool.name, ...(tool.aliases ?? [])].some((alias) => alias.startsWith(`${name}.`)),
  );

/** Lines mean something else by some titles: a line that is the title alone does not call it. */
function checkName(
  { isPublic, name, place, triggers, written }: CompiledPlaybook,
  names: LineNames,
  report: Report,
): void {
  // What is set off, or called by others, need not be called by a line of its agent.
  if (triggers.length > 0 || isPublic) return;
  const { does } = formOf(written, { isHead: false, hasBlock: false, isInLoop: true }, names);
  if (does.is === 'call' || does.is === 'open') return;
  const message = `got a playbook of the name ${written}, by which lines mean something else`;
  const hint = `give it another name, or call it as ${name}()`;
  warn(report, 'reservedName', place, message, { hint });
}

function checkDuplicates(
  all: readonly (CompiledAgent | CompiledPlaybook)[],
  code: Extract<CodeName, 'duplicateAgent' | 'duplicatePlaybook'>,
  report: Report,
): void {
  const places = new Map<string, CompiledAgent['place']>();
  for (const { name, place } of all) {
    const first = places.get(name);
    if (!first) places.set(name, place);
    else {
      const notes = [{ ...first, message: 'the first one is here' }];
      error(report, code, place, `got the name ${name} twice, want each once`, { notes });
    }
  }
}
