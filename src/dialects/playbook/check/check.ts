/**
 * What can be said of compiled playbooks before they run: calls of what there is not, lines that
 * are never reached, variables that nothing sets, triggers that cannot fire.
 */
import { type Diagnostic, nearest } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import type { CodeName } from '../codes.ts';
import { namesOf } from '../compile/names.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook } from '../compiled.ts';
import { clockOf } from '../grammar/clock.ts';
import { formOf, type LineNames } from '../grammar/forms.ts';
import { error, found, report as newReport, type Report, take, warn } from '../report.ts';
import { readCode } from '../source/code.ts';
import type { WordPlace } from '../source/word-place.ts';
import { checkCode } from './code.ts';
import { checkHeads } from './heads.ts';
import { checkLines } from './lines.ts';
import { checkVariables, settersOf } from './variables.ts';

interface Telling {
  /** How many of one code are listed. */
  readonly most?: number;
  /** Where words of the text stand. */
  readonly placeOf?: WordPlace;
}

export function checkCompiled(
  file: CompiledFile,
  environment: Environment,
  { most, placeOf }: Telling = {},
): Diagnostic[] {
  const report = newReport(most, placeOf);
  const playing = file.agents.filter(({ kind }) => kind === 'ai');
  const playbooks = playing.flatMap((agent) => agent.playbooks);
  const [first] = playbooks;
  if (!first) {
    const want = 'want # and the name of an agent, then ## and one of a playbook';
    error(report, 'noPlaybook', { line: 1, column: 1 }, `got no playbook, ${want}`);
    return found(report);
  }
  duplicates(file.agents, 'duplicateAgent', report);
  for (const agent of playing) checkAgent(agent, file, environment, report);
  const unlisted = file.agents.filter(
    (agent) => agent.kind === 'mcp' && !isListed(agent, environment),
  );
  for (const { name, place } of unlisted) {
    const message = `what ${name} offers is not known here, so calls of it are not checked`;
    warn(report, 'unknownServer', place, message, { hint: 'a run asks it before it starts' });
  }
  for (const agent of file.agents) {
    const [own] = agent.playbooks;
    if (agent.kind === 'ai' || !own) continue;
    const got = `got the playbook ${own.written} of ${agent.name}`;
    const message = `${got}, which no model is, so nobody plays it`;
    const hint = 'give it to an agent that a model is';
    warn(report, 'playedByNobody', own.place, message, { hint });
  }
  checkCode(
    file,
    environment,
    unlisted.map(({ name }) => name),
    report,
  );
  checkHeads(file, environment, report);
  checkEntry(playbooks, report);
  const triggers = playbooks.flatMap((playbook) => playbook.triggers);
  if (
    !triggers.some(({ code, text, names }) => code !== 'CND' || names.length === 0 || clockOf(text))
  ) {
    const hint = 'give one a trigger: ### Triggers, then - At the beginning';
    const message = 'no playbook begins when the program starts';
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
  duplicates(agent.playbooks, 'duplicatePlaybook', report);
  const { inputs, tools } = environment;
  for (const block of agent.code) for (const one of readCode(block).diagnostics) take(report, one);
  const names = namesOf(agent, file.agents, tools.values());
  const setters = settersOf(agent, inputs);
  for (const playbook of agent.playbooks) {
    const own = names.of(playbook);
    checkName(playbook, own, report);
    if (playbook.mode === 'code') checkFunction(playbook, agent, report);
    checkLines(playbook, { file, agent, names: own, environment, report });
    checkVariables(playbook, setters, report);
  }
}

/** Whether it is known what a server offers. */
const isListed = ({ name }: CompiledAgent, { tools }: Environment): boolean =>
  [...tools.values()].some((tool) =>
    [tool.name, ...(tool.aliases ?? [])].some((one) => one.startsWith(`${name}.`)),
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
  warn(report, 'reservedName', place, message, { hint, about: written });
}

/** What is played by code has to have some. */
function checkFunction(
  { name, place }: CompiledPlaybook,
  agent: CompiledAgent,
  report: Report,
): void {
  const blocks = agent.code.map(readCode);
  const functions = blocks.flatMap((block) => block.functions.map((one) => one.name));
  if (functions.includes(name) || blocks.some(({ diagnostics }) => diagnostics.length > 0)) return;
  const near = name.startsWith('_') ? undefined : nearest(name, functions);
  const hint = near === undefined ? 'names with _ belong to their block' : `did you mean ${near}?`;
  const message = `got a playbook of mode code, want a function ${name} in a block of its agent`;
  error(report, 'unknownCall', place, message, { hint });
}

/** One playbook of those that start may be the one that takes the inputs. */
function checkEntry(playbooks: readonly CompiledPlaybook[], report: Report): void {
  const [first, second] = playbooks.filter(({ metadata }) => metadata.cli_entry === true);
  if (second && first) {
    const notes = [{ ...first.place, message: 'the first one is here' }];
    const message = `got cli_entry: true at ${second.written}, want it at one playbook alone`;
    error(report, 'severalEntries', second.place, message, { notes });
  }
  if (!first || first.triggers.some(({ code }) => code === 'BGN')) return;
  const message = `got cli_entry: true at ${first.written}, which does not begin with the program`;
  const hint = 'give it a trigger: ### Triggers, then - At the beginning';
  error(report, 'severalEntries', first.place, message, { hint });
}

function duplicates(
  all: readonly (CompiledAgent | CompiledPlaybook)[],
  code: Extract<CodeName, 'duplicateAgent' | 'duplicatePlaybook'>,
  report: Report,
): void {
  const seen = new Map<string, CompiledAgent | CompiledPlaybook>();
  for (const one of all) {
    const before = seen.get(one.name);
    if (!before) seen.set(one.name, one);
    else {
      const notes = [{ ...before.place, message: 'the first one is here' }];
      error(report, code, one.place, `got the name ${one.name} twice, want each once`, { notes });
    }
  }
}
