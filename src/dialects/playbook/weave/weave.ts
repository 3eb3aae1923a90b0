/**
 * Linked playbooks as one program in Starlark: what the loop has to know of them, the functions of
 * their agents' blocks, and behind that the loop itself (`loops/playbook/`). The text of a run is
 * this one, so a run goes on with the interpreter that it began with.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import type { Json } from '../../../program/json.ts';
import { findTool, toolNamesIn } from '../../../program/tool-names.ts';
import { stepComment } from '../../starlark/compile/declared-steps.ts';
import { namesComment } from '../../starlark/compile/declared-variables.ts';
import { declaredTypes, fitsOf, givenType, resultTypes } from '../compiled/declared-types.ts';
import { readsLast } from '../compiled/last-result.ts';
import type { LinkedAgent, LinkedFile, LinkedLine, LinkedPlaybook } from '../compiled/linked.ts';
import { type Rounds, roundsOf } from '../compiled/rounds.ts';
import { stepsOf } from '../compiled/steps-of.ts';
import { isWriteOf } from '../link/quiet.ts';
import { writersIn } from '../link/setters.ts';
import { meetingOf } from '../source/meeting.ts';
import { isOfEvent } from '../steps/triggers/named-event.ts';
import { isForUser } from '../steps/yields/unaddressed.ts';
import { literal } from '../text/literal.ts';
import type { Bound } from '../text/loop-heads.ts';
import { clockOf } from '../text/times.ts';
import { unique } from '../text/variables.ts';
import { fillings } from './placeholders.ts';
import { earsOf, replyOf } from './reply.ts';
import { blockFunction } from './woven-code.ts';

export interface Weaving {
  /** The text of the loop. */
  readonly loop: string;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** What the text of the playbooks is called. */
  readonly file?: string;
}

/** The program as text; the same for the same playbooks, tools and loop. */
export function weave(file: LinkedFile, { loop, tools, file: name = '' }: Weaving): string {
  const { agents, isOneByOne } = file;
  const all = agents.flatMap(({ playbooks }) => playbooks);
  const data: readonly (readonly [string, Json])[] = [
    ['books', Object.fromEntries(agents.flatMap((agent) => agent.playbooks.map(bookOf(agent))))],
    ['names', Object.fromEntries(agents.map((agent) => [agent.name, namesOf(agent, agents)]))],
    [
      'triggers',
      Object.fromEntries(agents.map((one) => [one.name, triggersOf(one, agents, name)])),
    ],
    ['begin', beginOf(file).map(({ id }) => id)],
    ['entry', entryOf(file)?.id ?? null],
    ['people', agents.flatMap(({ kind, name: one }) => (kind === 'human' ? [one] : []))],
    ['heeds', heedsOf(agents)],
    ['reply', replyOf(file)?.id ?? null],
    ['ears', earsOf(file)],
    ['clocks', all.flatMap(clocksOf)],
    ['exits', byPriority(all).flatMap(exitsOf)],
    ['reads', readsOf(tools)],
    ['asks_ahead', isOneByOne !== true],
    ['quiet', Object.fromEntries(agents.map((agent) => [agent.name, [...agent.quiet]]))],
    ['setting', Object.fromEntries(agents.map((agent) => [agent.name, [...agent.setting]]))],
    ['writing', writingIn(file, tools)],
    ['results', Object.fromEntries(agents.map((agent) => [agent.name, resultTypes(agent)]))],
    ['kinds', kindsOf(agents)],
  ];
  return [
    `# ${file.title ?? 'Playbooks'}: what the playbooks are, then the loop that plays them.`,
    ...data.map(([name, value]) => `${name} = ${literal(value)}`),
    table('conditions', all.flatMap(conditionsOf)),
    table('defaults', all.flatMap(defaultsOf)),
    ...agents.map(blockFunction(agents, name)),
    table(
      'functions',
      agents.map(({ name }) => [name, `_code_of_${name}`]),
    ),
    table(
      'abouts',
      agents.flatMap((agent) => fillings(agent, name)),
    ),
    ...natureOf(tools),
    '',
    loop,
    '# The lines of the playbooks, which are the steps of the run, and the variables of agents.',
    ...stepsOf(file, name).map(stepComment),
    namesComment(Object.fromEntries(agents.map((agent) => [agent.name, stateOf(agent)]))),
    '',
  ].join('\n');
}

/** What people want to hear in meetings, where that is not all. */
const heedsOf = (agents: LinkedFile['agents']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    agents.flatMap(({ kind, metadata, name }) => {
      const wish = metadata.meeting_notifications;
      const isSome = kind === 'human' && (wish === 'targeted' || wish === 'none');
      return isSome ? [[name, wish]] : [];
    }),
  );

/** Time, by the tools of the run for it: who has taken them away can have no times. */
function natureOf(tools: ReadonlyMap<string, ToolSpec>): readonly string[] {
  const without = (name: string): string => `fail("playbooks with times need the tool ${name}")`;
  return [
    'def clock():',
    `    return ${tools.has('now') ? 'now(format = "seconds")' : without('now')}`,
    'def slept(seconds):',
    `    return ${tools.has('sleep') ? 'sleep(seconds = seconds)' : without('sleep')}`,
  ];
}

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

const table = (name: string, rows: readonly (readonly [string, string])[]): string =>
  rows.length === 0
    ? `${name} = {}`
    : `${name} = {\n${rows.map(([key, code]) => `    ${literal(key)}: ${code},`).join('\n')}\n}`;

const bookOf =
  ({ name: agent }: LinkedAgent) =>
  (playbook: LinkedPlaybook): readonly [string, Json] => {
    const meeting = meetingOf(playbook);
    const types = declaredTypes(playbook);
    const gives = givenType(playbook);
    const { id, name, mode, first, isQuiet, needs, parameters, lines } = playbook;
    const rounds = roundsOf(lines);
    return [
      id,
      {
        ...{ name, agent, mode, first },
        ...(isQuiet && !meeting && { quiet: true }),
        ...(needs.size > 0 && { needs: [...needs].map(bare) }),
        ...(readsLast(playbook) && { last: true }),
        ...(rounds.size > 0 && {
          rounds: Object.fromEntries([...rounds].map(([head, one]) => [head, roundsIn(one)])),
        }),
        ...(types.size > 0 && { types: Object.fromEntries(types) }),
        ...(gives !== undefined && { gives }),
        ...(meeting && {
          meeting: { required: [...meeting.required], optional: [...meeting.optional] },
        }),
        parameters: parameters.map((one) => ({
          ...{ name: one.name, scope: one.scope },
          // The block alone knows what its names mean.
          ...(mode === 'code' && one.default !== undefined && { own: true }),
        })),
        lines: Object.fromEntries(
          [...lines].map(([number, { live, tail, step }]) => [
            number,
            {
              live: [...live],
              ...(tail && { tail }),
              ...(step.call && { call: step.call.callee }),
              ...(step.asks && { question: true }),
              ...(meeting && isToUser(step.say) && { to_user: true }),
              ...(meeting && isForUser(step) && { for_user: true }),
              ...(step.asks && step.asks.length > 0 && { asks: [...step.asks] }),
              ...(step.wants && { wants: [...step.wants] }),
              ...(isAwaited(number, lines) && { awaited: true }),
            },
          ]),
        ),
      },
    ];
  };

/** Whether a line says to whom it speaks, and that is the person. */
const isToUser = (say: LinkedLine['step']['say']): boolean =>
  say?.to === 'user' && !say.isUnaddressed;

/** Whether a question has lines behind it that go on with the answer. */
function isAwaited(number: string, lines: LinkedPlaybook['lines']): boolean {
  const { step, edges = [] } = lines.get(number) ?? {};
  if (!step?.asks) return false;
  const waits = edges.flatMap(({ to }) => lines.get(to) ?? []);
  return waits.some(({ step: { code }, edges: on }) => code === 'YLD' && on.some(({ to }) => to));
}

/** A loop whose rounds are counted; "over" is the variable that has its items. */
const roundsIn = (rounds: Rounds): Json => {
  const { item, items, leaves, repeats, backs, inner, isInner, words } = rounds;
  return {
    ...(item !== undefined && { item: { ...placeOf(item) } }),
    ...itemsIn(items),
    ...{ leaves: [...leaves], inner: [...inner], is_inner: isInner },
    ...(repeats.length > 0 && { repeats: repeats.map((one) => [...one]) }),
    ...(words.length > 0 && { words: [...words] }),
    ...(backs.length > 0 && { backs: [...backs] }),
  };
};

function itemsIn(items: Rounds['items']): Readonly<Record<string, Json>> {
  const bound = (one: Bound): Json => (typeof one === 'string' ? { ...placeOf(one) } : one);
  if (items.kind === 'written') return { items: [...items.items] };
  if (items.kind === 'variable') return { over: { ...placeOf(items.name) } };
  const { first, last, step, isOpen } = items;
  const by = step === undefined ? {} : { by: step };
  return { numbers: [bound(first), bound(last)], ...by, ...(isOpen && { open: true }) };
}

const placeOf = (written: string) => ({
  name: bare(written),
  scope: written.startsWith('$') ? 'state' : 'local',
});

/** The variables of an agent that its playbooks name, without the dollar. */
const stateOf = ({ playbooks }: LinkedAgent): string[] =>
  unique(playbooks.flatMap(namesOfState)).map(bare);

const namesOfState = ({ parameters, triggers, lines }: LinkedPlaybook): string[] => [
  ...parameters.flatMap(({ name, scope }) => (scope === 'state' ? [`$${name}`] : [])),
  ...[...triggers, ...[...lines.values()].map(namesOfLine)]
    .flatMap(({ names }) => names)
    .filter((name) => name.startsWith('$') && name !== '$_'),
];

const namesOfLine = ({ step: { reads, writes } }: LinkedLine): { names: readonly string[] } => ({
  names: [...reads, ...writes],
});

/** What values the types have that are declared somewhere, by the words of Starlark. */
const kindsOf = (agents: readonly LinkedAgent[]): Json =>
  Object.fromEntries(
    agents
      .flatMap((agent) => [
        ...agent.playbooks.flatMap((one) => [...declaredTypes(one).values(), givenType(one) ?? '']),
        ...Object.values(resultTypes(agent)),
      ])
      .filter((type) => type !== '')
      .map((type) => [type, fitsOf(type) as Json]),
  );

/** What an agent may call, by what it calls it. */
function namesOf(agent: LinkedAgent, agents: readonly LinkedAgent[]): Json {
  const own = agent.playbooks.flatMap(({ name, id }) => [[name, id] as const, [id, id] as const]);
  const others = agents
    .filter((other) => other !== agent)
    .flatMap(({ playbooks }) => playbooks.filter(({ isPublic }) => isPublic))
    .map(({ id }) => [id, id] as const);
  return Object.fromEntries([...others, ...own]);
}

/** The triggers that what an agent does may fire: its own, and public ones of others. */
function triggersOf(agent: LinkedAgent, agents: readonly LinkedAgent[], file: string): Json {
  const playbooks = agents.flatMap((other) =>
    other.playbooks.filter(({ isPublic }) => other === agent || isPublic),
  );
  return byPriority(playbooks).flatMap((playbook) =>
    playbook.triggers
      .filter(({ code, text }) => code !== 'BGN' && clockOf(text) === undefined)
      .map(({ id, code, text, names, condition, place }) => ({
        ...{ id: `${playbook.id}:${id}`, text, names: [...names], playbook: playbook.id },
        again: playbook.metadata.retrigger === 'edge',
        ...(condition !== undefined && {
          at: `${place.file ?? file}:${place.line}:${place.column}`,
        }),
        always: condition !== undefined && isGiven(condition),
        event: code === 'EVT' ? text : '',
        ...(code === 'EVT' && isOfEvent(text) && { told: true }),
      })),
  );
}

/** Triggers about time, but for the end of the program. */
const clocksOf = ({ id, triggers }: LinkedPlaybook): Json[] =>
  triggers.flatMap(({ text }): Json[] => {
    const clock = clockOf(text);
    if (clock === undefined || clock.kind === 'exit') return [];
    if (clock.kind !== 'at') return [{ ...clock, text, playbook: id }];
    return [{ ...clock, times: [...clock.times], days: [...clock.days], text, playbook: id }];
  });

const exitsOf = ({ id, triggers }: LinkedPlaybook): string[] =>
  triggers.some(({ text }) => clockOf(text)?.kind === 'exit') ? [id] : [];

/** What is urgent first; what is as urgent, in the order of the file. */
const byPriority = (playbooks: readonly LinkedPlaybook[]): readonly LinkedPlaybook[] =>
  playbooks.toSorted((one, other) => priorityOf(other) - priorityOf(one));

const priorityOf = ({ metadata }: LinkedPlaybook): number => Number(metadata.priority ?? 0) || 0;

/** Whether a condition is that a variable is given: each value that it gets is news. */
const isGiven = (condition: string): boolean => /^\p{XIDC}+ != None$/u.test(condition);

const conditionsOf = ({ id, triggers }: LinkedPlaybook): (readonly [string, string])[] =>
  triggers.flatMap(({ id: trigger, names, condition }) =>
    condition === undefined
      ? []
      : [[`${id}:${trigger}`, `lambda ${names.map(bare).join(', ')}: ${condition}`] as const],
  );

const bare = (written: string): string => written.replace(/^\$/, '');

const defaultsOf = ({ id, mode, parameters }: LinkedPlaybook): (readonly [string, string])[] =>
  parameters.flatMap(({ name, default: given }) =>
    given === undefined || mode === 'code' ? [] : [[`${id}:${name}`, `lambda: ${given}`] as const],
  );

/** What of the playbooks and functions that agents call may write, by agents. */
function writingIn({ agents, bodies }: LinkedFile, tools: ReadonlyMap<string, ToolSpec>): Json {
  const isWriting = (name: string): boolean => findTool(tools, name)?.effect === 'write';
  return Object.fromEntries(
    [...writersIn(agents, bodies, isWriting)].map(([name, all]) => [name, [...all]]),
  );
}

function readsOf(tools: ReadonlyMap<string, ToolSpec>): string[] {
  const isWrite = isWriteOf(tools);
  return [...toolNamesIn(tools)].map(([name]) => name).filter((name) => !isWrite(name));
}
