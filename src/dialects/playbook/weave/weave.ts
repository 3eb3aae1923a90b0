/**
 * Linked playbooks as one program in Starlark: tables that say what the playbooks are, their code,
 * and after that the loop that plays them (`loops/playbook/`). The text of a run is this one, so a
 * run goes on with the loop that it began with.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import type { Json } from '../../../program/json.ts';
import type { Step } from '../../../program/program.ts';
import { findTool, toolNamesIn } from '../../../program/tool-names.ts';
import { stepComment } from '../../starlark/compile/declared-steps.ts';
import { namesComment } from '../../starlark/compile/declared-variables.ts';
import { isMachines, type VariableUse } from '../compiled.ts';
import { fitsOf } from '../grammar/value-type.ts';
import { writtenIn } from '../link/flow.ts';
import type { LinkedAgent, LinkedFile, LinkedLine, LinkedPlaybook } from '../link/linked.ts';
import { meetingOf } from '../source/meeting.ts';
import { literal } from './literal.ts';
import { earsOf, replyOf } from './reply.ts';
import { blockFunction, lineCode, usesIn } from './woven-code.ts';

export interface Weaving {
  /** The text of the loop. */
  readonly loop: string;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** What the text of the playbooks is called. */
  readonly file?: string;
}

/** The program as text; the same for the same playbooks, tools and loop. */
export function weave(file: LinkedFile, { loop, tools, file: name = '' }: Weaving): string {
  const { agents } = file;
  const all = agents.flatMap(({ playbooks }) => playbooks);
  const byAgent = (f: (agent: LinkedAgent) => Json): Json =>
    Object.fromEntries(agents.map((agent) => [agent.name, f(agent)]));
  const data: readonly (readonly [string, Json])[] = [
    ['books', Object.fromEntries(agents.flatMap((agent) => agent.playbooks.map(bookOf(agent))))],
    ['names', agents.map((agent) => agent.name)],
    ['names_of_state', byAgent((agent) => [...agent.state])],
    ['triggers', byAgent((agent) => triggersOf(agent, agents, name))],
    ['begin', beginOf(file).map(({ id }) => id)],
    ['entry', entryOf(file)?.id ?? null],
    ['people', agents.flatMap(({ kind, name: person }) => (kind === 'human' ? [person] : []))],
    ['talker', replyOf(file)?.id ?? null],
    ['ears', earsOf(file)],
    ['clocks', all.flatMap(clocksOf)],
    ['exits', byPriority(all).flatMap(exitsOf)],
    ['reads', readsOf(tools)],
  ];
  return [
    `# ${file.title ?? 'Playbooks'}: what the playbooks are, then the loop that plays them.`,
    ...data.map(([key, value]) => `${key} = ${literal(value)}`),
    table('conditions', all.flatMap(conditionsOf)),
    table('defaults', all.flatMap(defaultsOf)),
    ...agents.map(blockFunction(agents, name)),
    table(
      'codes',
      agents.map((agent) => [agent.name, `_code_of_${agent.name}`]),
    ),
    ...clockFunctions(tools),
    '',
    loop,
    '# The lines of the playbooks, which are the steps of the run, and the variables of agents.',
    ...stepsOf(file, name).map(stepComment),
    namesComment(Object.fromEntries(agents.map((agent) => [agent.name, [...agent.state]]))),
    '',
  ].join('\n');
}

/** Time, by the tools of the run for it. */
function clockFunctions(tools: ReadonlyMap<string, ToolSpec>): readonly string[] {
  const without = (name: string): string => `fail("playbooks with times need the tool ${name}")`;
  return [
    'def clock():',
    `    return ${tools.has('now') ? 'now(format = "seconds")' : without('now')}`,
    'def slept(seconds):',
    `    return ${tools.has('sleep') ? 'sleep(seconds = seconds)' : without('sleep')}`,
  ];
}

const table = (name: string, rows: readonly (readonly [string, string])[]): string =>
  rows.length === 0
    ? `${name} = {}`
    : `${name} = {\n${rows.map(([key, code]) => `    ${literal(key)}: ${code},`).join('\n')}\n}`;

// ---- Playbooks ----------------------------------------------------------------------------------

/** The playbooks with which a program starts, in their order. */
const beginOf = ({ agents }: LinkedFile): readonly LinkedPlaybook[] =>
  agents
    .flatMap(({ playbooks }) => playbooks)
    .filter(({ triggers }) => triggers.some(({ code }) => code === 'BGN'));

/** Of those, the one that takes the inputs and gives the answer, where one is said to be. */
const entryOf = (file: LinkedFile): LinkedPlaybook | undefined =>
  beginOf(file).find(({ metadata }) => metadata.cli_entry === true);

/** Those whose parameters are inputs. */
export function takersOf(file: LinkedFile): readonly LinkedPlaybook[] {
  const entry = entryOf(file);
  return entry ? [entry] : beginOf(file);
}

const bookOf =
  (agent: LinkedAgent) =>
  (playbook: LinkedPlaybook): readonly [string, Json] => {
    const { about, first, id, lines, mode, name, parameters } = playbook;
    const meeting = meetingOf(playbook);
    const gives = checkedType(playbook.returns);
    return [
      id,
      {
        ...{ name, agent: agent.name, mode, first, locals: localsOf(playbook) },
        is_followed: mode !== 'steps' || [...lines.values()].some((line) => !isMachines(line)),
        types: declaredTypes(playbook),
        ...(gives && { gives: { ...gives } }),
        ...(about && { about: usesIn(about).map(placeOf) }),
        ...(meeting && {
          meeting: { required: [...meeting.required], optional: [...meeting.optional] },
        }),
        parameters: parameters.map((parameter) => ({
          name: parameter.name,
          // The function itself has the default.
          ...(mode === 'code' && parameter.default !== undefined && { own: true }),
        })),
        lines: Object.fromEntries(
          [...lines].map(([number, line]) => [number, lineIn(line, agent)]),
        ),
      },
    ];
  };

const placeOf = ({ name, scope }: Pick<VariableUse, 'name' | 'scope'>) => ({ name, scope });

/** Its own variables, each as it is written: `$x` or `x`. */
function localsOf({ lines, parameters }: LinkedPlaybook): Readonly<Record<string, string>> {
  const written = writtenIn(lines.values());
  const named = [...lines.values()].flatMap(({ names }) => names);
  const own = [...named.filter(({ scope }) => scope === 'local'), ...parameters];
  const dollars = new Set(parameters.flatMap(({ hasDollar, name }) => (hasDollar ? [name] : [])));
  return Object.fromEntries(
    own.map(({ name }) => [name, dollars.has(name) ? `$${name}` : written(name)]),
  );
}

/** A line as the loop needs it: who does it, where it leads, what it reads and does. */
function lineIn(line: LinkedLine, agent: LinkedAgent): Json {
  const { does, edges, isHead, live, names, tail } = line;
  const machine = isMachines(line);
  const isTest = does.is === 'test' || does.is === 'each' || (does.is === 'open' && isHead);
  const decides = !machine && isTest;
  const given = does.is === 'ask' || (does.is === 'set' && !machine);
  const { code, plays, reads } = lineCode(line, agent);
  const to = (kinds: readonly string[]): string =>
    edges.find(({ kind }) => kinds.includes(kind))?.to ?? '';
  const ways = isTest
    ? { yes: to(['true', 'loop', 'next']), no: to(['false', 'exit']) }
    : { next: edges.find(({ kind }) => kind !== 'return')?.to ?? '' };
  return {
    ...{ is: does.is, machine, ...ways },
    ...(live && { live: [...live] }),
    reads: reads.map(placeOf),
    ...(decides && { decides }),
    ...(plays && { plays }),
    ...(code !== undefined && { has_code: true }),
    ...(!machine && names.length > 0 && { names: names.map(placeOf) }),
    ...(tail && { tail }),
    ...(given && { site: `${line.place.file ?? ''}:${line.place.line}` }),
    ...detailsOf(line),
  };
}

/** What of a line the loop has as code, or knows by its edges. */
const asCode: ReadonlySet<string> = new Set([
  ...['value', 'args', 'text', 'test', 'of', 'call', 'type', 'inWords', 'likely', 'calls', 'note'],
]);

function detailsOf({ does, tail }: LinkedLine): Readonly<Record<string, Json>> {
  if (does.is === 'go') return {};
  if (does.is === 'return' && tail && does.call) {
    return { is: 'call', callee: { ...does.call.callee } };
  }
  const details = Object.entries(does).filter(([key]) => !asCode.has(key));
  return Object.fromEntries(details as [string, Json][]);
}

const readsOf = (tools: ReadonlyMap<string, ToolSpec>): string[] =>
  [...toolNamesIn(tools)]
    .map(([name]) => name)
    .filter((name) => findTool(tools, name)?.effect !== 'write');

// ---- Types --------------------------------------------------------------------------------------

/** A type that values are held to, and what it takes in the words of Starlark. */
function checkedType(type = ''): { readonly type: string; readonly fits: Json } | undefined {
  const fits = fitsOf(type);
  return fits && { type, fits: fits as Json };
}

/** The types that parameters and lines declare, by the names of variables; the first one counts. */
function declaredTypes({ lines, parameters }: LinkedPlaybook): Readonly<Record<string, Json>> {
  const types: Record<string, Json> = {};
  const declare = (name: string, type: string | undefined): void => {
    const checked = checkedType(type);
    if (checked) types[name] ??= { ...checked };
  };
  for (const { name, type } of parameters) declare(name, type);
  for (const { does } of lines.values()) {
    if (does.is === 'set') declare(does.to.name, does.type);
    if (does.is === 'call' && does.into) declare(does.into.name, does.type);
    if (does.is === 'ask') for (const { name, type } of does.wants) declare(name, type);
  }
  return types;
}

// ---- Triggers -----------------------------------------------------------------------------------

/** The triggers that what an agent does may fire: its own, and public ones of others. */
function triggersOf(agent: LinkedAgent, agents: readonly LinkedAgent[], file: string): Json {
  const playbooks = agents.flatMap((other) =>
    other.playbooks.filter(({ isPublic }) => other === agent || isPublic),
  );
  return byPriority(playbooks).flatMap((playbook) =>
    playbook.triggers
      .filter(({ clock, code }) => code !== 'BGN' && clock === undefined)
      .map(({ id, text, names, condition, event, place }) => ({
        ...{ id: `${playbook.id}:${id}`, text, playbook: playbook.id },
        names: names.map(({ name, scope }) => (scope === 'state' ? `$${name}` : name)),
        again: playbook.metadata.retrigger === 'edge',
        ...(condition && {
          at: `${place.file ?? file}:${place.line}:${place.column}`,
          reads: condition.reads.map(placeOf),
        }),
        always: condition !== undefined && isSet.test(condition.code),
        ...(event !== undefined && { event }),
      })),
  );
}

/** Whether a condition is that a variable is set: each value that it gets is news. */
const isSet = /^\p{XIDC}+ != None$/u;

/** Triggers about time, but for the end of the program. */
const clocksOf = ({ id, triggers }: LinkedPlaybook): Json[] =>
  triggers.flatMap(({ clock, text }): Json[] => {
    if (clock === undefined || clock.kind === 'exit') return [];
    if (clock.kind !== 'at') return [{ ...clock, text, playbook: id }];
    return [{ ...clock, times: [...clock.times], days: [...clock.days], text, playbook: id }];
  });

const exitsOf = ({ id, triggers }: LinkedPlaybook): string[] =>
  triggers.some(({ clock }) => clock?.kind === 'exit') ? [id] : [];

/** The most urgent first; equally urgent ones in the order of the file. */
const byPriority = (playbooks: readonly LinkedPlaybook[]): readonly LinkedPlaybook[] =>
  playbooks.toSorted((left, right) => priorityOf(right) - priorityOf(left));

const priorityOf = ({ metadata }: LinkedPlaybook): number => Number(metadata.priority ?? 0) || 0;

const conditionsOf = ({ id, triggers }: LinkedPlaybook): (readonly [string, string])[] =>
  triggers.flatMap(({ id: trigger, condition }) => {
    if (!condition) return [];
    const parameters = condition.reads.map(({ as }) => as).join(', ');
    return [[`${id}:${trigger}`, `lambda ${parameters}: ${condition.code}`] as const];
  });

const defaultsOf = ({ id, mode, parameters }: LinkedPlaybook): (readonly [string, string])[] =>
  parameters.flatMap(({ name, default: value }) =>
    value === undefined || mode === 'code' ? [] : [[`${id}:${name}`, `lambda: ${value}`] as const],
  );

// ---- Steps --------------------------------------------------------------------------------------

/** The lines of playbooks as steps of the run; playbooks without lines are a step each. */
function stepsOf({ agents }: LinkedFile, file: string): Step[] {
  const isAlone = agents.length === 1;
  return agents.flatMap(({ playbooks }) =>
    playbooks.flatMap(({ id, lines, mode, name, place, written }): Step[] => {
      const title = isAlone ? name : id;
      if (mode !== 'steps')
        return [{ file, label: title, kind: mode, objective: written, ...place }];
      return [...lines.values()].map(({ code, number, place: at, text }) => ({
        ...{ file, label: `${title}:${number}`, kind: code, objective: text, ...at },
      }));
    }),
  );
}
