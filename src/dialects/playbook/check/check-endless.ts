/**
 * Loops that go on for as long as variables are what they are, where nothing in their rounds can
 * set one of these. Said only where that is certain: what words, people, other agents or a function
 * with variables of its own may set counts as set.
 */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps, isWithin } from '../compiled/graph.ts';
import { type Report, warn } from '../report.ts';
import { functionEffects } from '../source/code.ts';
import { leaves } from '../steps/draft.ts';
import { conditionOf } from '../steps/triggers/trigger.ts';
import { bareCondition } from '../text/constant.ts';
import { type Filling, fillingsIn, readFilling } from '../text/filling.ts';
import { loopHead } from '../text/loop-heads.ts';
import { writtenName } from '../text/variables.ts';

export function checkEndless(
  { name: playbook, steps }: CompiledPlaybook,
  agent: CompiledAgent,
  tools: ReadonlyMap<string, unknown>,
  report: Report,
): void {
  for (const head of flatSteps(steps)) {
    const names = decidedBy(head);
    const rounds = flatSteps(head.children);
    if (names.length === 0 || rounds.every(({ code }) => code === 'JMP')) continue;
    const rest: Rest = { names, agent, tools, seen: new Set() };
    if (rounds.some((one) => mayLeave(one, head) || mayChange(one, rest))) continue;
    if (firedIn(agent).some((one) => mayChangeIn(one, rest))) continue;
    const [first = ''] = names;
    const message = `got ${head.text}, and nothing in its rounds sets ${names.join(' or ')}`;
    const hint = `set ${first} under the line, or leave the loop there with Break or Return`;
    const step = `${playbook}:${head.number}`;
    warn(report, 'endlessLoop', head.place, message, { step, hint, about: first });
  }
}

/** The variables that alone decide on further rounds; none where something else may. */
function decidedBy({ code, isAmbiguous, reads, text }: Step): readonly string[] {
  if (code !== 'LOP' || isAmbiguous || !/^(?:while|as long as)\b/i.test(text)) return [];
  if (loopHead(text).over) return [];
  const condition = bareCondition(text);
  const read = readFilling(condition);
  const isRead = (name: string): boolean => reads.some((one) => one.replace('$', '') === name);
  const isPlain =
    read && 'filling' in read
      ? namesIn(read.filling).every(isRead)
      : conditionOf(condition) !== undefined;
  return isPlain && !reads.includes('$_') ? reads : [];
}

const namesIn = (of: Filling): readonly string[] =>
  fillingsIn(of).flatMap((one) =>
    one.is === 'ref' && !isConstant.test(one.to.name) ? [one.to.name] : [],
  );

const isConstant = /^(?:true|false|none|null)$/i;

const mayLeave = ({ code, jump }: Step, { number }: Step): boolean =>
  code === 'RET' ||
  (code === 'JMP' && (jump === leaves || (jump !== number && !isWithin(jump ?? '', number))));

interface Rest {
  /** Variables, as written. */
  readonly names: readonly string[];
  readonly agent: CompiledAgent;
  readonly tools: ReadonlyMap<string, unknown>;
  /** Playbooks that were looked at. */
  readonly seen: Set<CompiledPlaybook>;
}

function mayChange(step: Step, rest: Rest): boolean {
  const { asks, call, code, isAmbiguous, say, text, value, waits, writes } = step;
  if (isAmbiguous || code === 'TNK' || asks || (waits && waits !== 'call')) return true;
  if (say && (!say.isLiteral || say.to !== 'user')) return true;
  if (code === 'EXE' && !call && (value === undefined || writes.length === 0)) return true;
  // Methods of a list change it.
  const isChanged = (name: string): boolean => writes.includes(name) || text.includes(`${name}.`);
  return rest.names.some(isChanged) || (call !== undefined && mayChangeBy(call.callee, rest));
}

function mayChangeBy(callee: string, rest: Rest): boolean {
  const { agent } = rest;
  const own = callee.startsWith(`${agent.name}.`) ? callee.slice(agent.name.length + 1) : callee;
  const playbook = agent.playbooks.find(({ name }) => name === own);
  return playbook ? mayChangeIn(playbook, rest) : mayChangeByCode(own, rest);
}

function mayChangeByCode(name: string, { agent, names, tools }: Rest): boolean {
  const done = functionEffects(agent.code).get(name);
  if (!done) return !tools.has(name);
  const mayPlay = agent.playbooks.some((one) => one.name !== name && done.words.has(one.name));
  const mayBeSet = done.sets.some((one) => one === '*' || names.includes(one));
  return mayPlay || mayBeSet || done.changes.length > 0;
}

function mayChangeIn(playbook: CompiledPlaybook, rest: Rest): boolean {
  if (rest.seen.has(playbook)) return false;
  rest.seen.add(playbook);
  const { mode, parameters, steps } = playbook;
  if (mode === 'code') return mayChangeByCode(playbook.name, rest);
  if (mode !== 'steps' || parameters.some((one) => rest.names.includes(writtenName(one)))) {
    return true;
  }
  // What has the name without a dollar there is another variable: it may only keep this silent.
  return flatSteps(steps).some((one) => mayChange(one, rest));
}

/** What a trigger may set off within a round. */
const firedIn = ({ playbooks }: CompiledAgent): readonly CompiledPlaybook[] =>
  playbooks.filter(({ triggers }) => triggers.some(({ code }) => code !== 'BGN'));
