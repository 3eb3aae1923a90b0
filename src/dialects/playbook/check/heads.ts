/** What stands at the head of files, agents and playbooks: metadata, models, people, meetings, times. */
import { editDistance, nearest } from '../../../program/diagnostic.ts';
import type { Environment, SaidModels } from '../../dialect.ts';
import type { CompiledFile, CompiledPlaybook } from '../compiled.ts';
import { clockOf } from '../grammar/clock.ts';
import { error, type Report, warn } from '../report.ts';
import { ownManner, readManner, zoneProblem } from '../source/manner.ts';
import { meetingOf } from '../source/meeting.ts';
import { isAsked, isTranscript, modelProblem, playbookId, providerOf } from '../source/models.ts';
import { type AgentKind, type Metadata, metadataKeys, type Place } from '../source/tree.ts';

/** Something that has metadata. */
interface Head {
  readonly metadata: Metadata;
  readonly place: Place;
  readonly of: string;
  readonly kind: 'file' | AgentKind | 'playbook';
  /** Agents or a playbook that a model may be named for, by the names that a person may use. */
  readonly whose: readonly (readonly string[])[];
}

export function checkHeads(file: CompiledFile, environment: Environment, report: Report): void {
  checkManner(file.metadata, report);
  for (const head of headsOf(file)) {
    for (const [key, value] of Object.entries(head.metadata)) {
      const problem = problemOf(head, key, value);
      if (!problem) continue;
      const message = `got ${problem.got ?? key} ${head.of}, of which nothing comes`;
      warn(report, 'ignoredMetadata', head.place, message, { hint: problem.hint, about: key });
    }
    checkModel(head, environment.models ?? { named: {} }, report);
  }
  for (const { kind, playbooks } of file.agents) {
    if (kind !== 'ai') continue;
    for (const playbook of playbooks) {
      checkMeeting(playbook, file, report);
      checkTimes(playbook, report);
    }
  }
}

function headsOf({ agents, metadata }: CompiledFile): Head[] {
  const playing = agents.filter(({ kind }) => kind === 'ai').map(({ name }) => [name]);
  const top = { line: 1, column: 1 };
  return [
    { metadata, place: top, of: 'at the head of the file', kind: 'file', whose: playing },
    ...agents.flatMap((agent): Head[] => {
      const below = (written: string): string => `below the heading ${written}`;
      const isPlaying = agent.kind === 'ai';
      return [
        { ...agent, of: below(agent.written), whose: isPlaying ? [[agent.name]] : [] },
        ...agent.playbooks.map(
          (playbook): Head => ({
            ...{ metadata: playbook.metadata, place: playbook.place, kind: 'playbook' },
            of: below(playbook.written),
            whose: isPlaying ? [[playbookId(agent, playbook), agent.name]] : [],
          }),
        ),
      ];
    }),
  ];
}

/** How a file wants to be run. */
function checkManner(metadata: Metadata, report: Report): void {
  const head = { line: 1, column: 1 };
  const own = Object(ownManner(metadata));
  const { timezone, ...others } = own;
  const zone = timezone === undefined ? undefined : zoneProblem(String(timezone));
  if (zone !== undefined) {
    error(report, 'unknownZone', head, `timezone: ${zone}`, { about: 'timezone' });
  }
  for (const problem of readManner(Array.isArray(own) ? own : others).problems) {
    const hint = 'it is left out; what can be said stands in the guide, under Settings';
    warn(report, 'ignoredMetadata', head, `planvm: ${problem}`, { hint, about: 'planvm' });
  }
}

/** Keys for the delivery of messages, and the values that are followed. */
const delivery: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['delivery_channel', ['streaming']],
  ['meeting_notifications', ['all', 'targeted', 'none']],
  ...['streaming_enabled', 'streaming_chunk_size', 'buffer_timeout', 'buffer_messages'].map(
    (key): [string, string[]] => [key, []],
  ),
]);

function problemOf(
  { kind }: Head,
  key: string,
  value: unknown,
): { readonly hint: string; readonly got?: string } | undefined {
  const values = kind === 'human' ? delivery.get(key) : undefined;
  if (values && !values.includes(String(value))) {
    const hint =
      values.length > 1 ? `want ${values.join(', ')}` : 'what is said reaches a person at once';
    return { got: `${key}: ${String(value)}`, hint };
  }
  if (kind !== 'file' && (key === 'timezone' || key === 'planvm')) {
    return { hint: 'it is of the whole file: write it at its head, between two lines ---' };
  }
  if (key === 'startup_mode') {
    return { hint: 'an agent without a trigger At the beginning waits until it is called' };
  }
  if (keys.includes(key)) return undefined;
  const meant = keys.find((known) => isSlip(key, known));
  return meant === undefined ? undefined : { hint: `did you mean ${meant}?` };
}

const keys: readonly string[] = metadataKeys;

/** Short names are near to each other by chance. */
const isSlip = (key: string, known: string): boolean =>
  plain(key) === plain(known) ||
  (key.length > 4 && known.length > 4 && editDistance(plain(key), plain(known), 2) < 2);

const plain = (key: string): string => key.toLowerCase().replace(/[-_ ]/g, '');

/** Whether a model that is named is one, and is asked. */
function checkModel(head: Head, models: SaidModels, report: Report): void {
  const { metadata, of, place, whose } = head;
  const { model } = metadata;
  if (model === undefined || isTranscript(models.own)) return;
  const problem = modelProblem(model);
  if (problem !== undefined) {
    const hint = 'a model is named by its provider, too: openai/gpt-5-mini';
    warn(report, 'ignoredMetadata', place, `model ${of}: ${problem}`, { hint, about: 'model' });
    return;
  }
  const isSaid = whose.every((names) => names.some((name) => name in models.named));
  if (whose.length > 0 && (isAsked(model, models) || isSaid)) return;
  const [[name] = []] = whose;
  const where =
    models.own === undefined ? `where the run has no model of ${providerOf(String(model))}, ` : '';
  const hint =
    name === undefined
      ? 'a model follows only agents that are neither people nor servers'
      : `${where}who runs it says so: --agent-model ${name}=${model}, or in planvm.config.json ` +
        `"playbooks": { "models": { "${name}": "${model}" } }`;
  const message = `got model: ${model} ${of}, of which nothing comes`;
  warn(report, 'ignoredMetadata', place, message, { hint, about: 'model' });
}

function checkMeeting(playbook: CompiledPlaybook, { agents }: CompiledFile, report: Report): void {
  const meeting = meetingOf(playbook);
  const all = ['User', ...agents.flatMap(({ name, written }) => [name, written])];
  const known = new Set(all.map(plainName));
  for (const attendee of meeting ? [...meeting.required, ...meeting.optional] : []) {
    if (known.has(plainName(attendee))) continue;
    const near = nearest(attendee, all);
    const hint = near === undefined ? `there are ${all.join(', ')}` : `did you mean ${near}?`;
    const message = `got ${attendee} to attend, which is not an agent of the file`;
    warn(report, 'unknownAttendee', playbook.place, message, { step: playbook.name, hint });
  }
}

/** `agent Bike desk`, `BikeDesk` and `bike_desk` are one. */
const plainName = (written: string): string =>
  written
    .toLowerCase()
    .replace(/^\s*(?:the\s+)?(?:agent\s+)?/, '')
    .replace(/[\s_-]/g, '');

/** By whose clock a trigger is meant. */
function checkTimes({ name, triggers }: CompiledPlaybook, report: Report): void {
  for (const { id, place, text } of triggers) {
    const clock = clockOf(text);
    const wrong = clock?.kind === 'at' && clock.zone ? zoneProblem(clock.zone) : undefined;
    if (wrong) error(report, 'unknownZone', place, wrong, { step: `${name}:${id}` });
  }
}
