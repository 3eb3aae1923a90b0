/** What stands above the lines of a file: metadata, models, meetings, times of triggers. */
import { editDistance, nearest } from '../../../program/diagnostic.ts';
import { modelProblem, providerOf } from '../../../program/model-name.ts';
import type { Environment, SaidModels } from '../../dialect.ts';
import type { CompiledFile, CompiledPlaybook } from '../compiled.ts';
import { clockOf } from '../grammar/clock.ts';
import { ownManner, readManner, zoneProblem } from '../manner.ts';
import { error, type Report, warn } from '../report.ts';
import { meetingOf } from '../source/meeting.ts';
import { isAsked, isTranscript, playbookId } from '../source/models.ts';
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
  const { models = { named: {} } } = environment;
  checkManner(file.metadata, report);
  for (const head of headsOf(file)) {
    for (const [key, value] of Object.entries(head.metadata)) {
      const hint = key === 'model' ? modelHint(head, value, models) : hintFor(head, key, value);
      const shown = key === 'model' || delivery.has(key) ? `${key}: ${String(value)}` : key;
      const message = `got ${shown} ${head.of}, of which nothing comes`;
      if (hint) warn(report, 'ignoredMetadata', head.place, message, { hint, about: key });
    }
  }
  for (const playbook of file.agents.flatMap(({ kind, playbooks }) =>
    kind === 'ai' ? playbooks : [],
  )) {
    checkMeeting(playbook, file, report);
    for (const { id, place, text } of playbook.triggers) {
      const clock = clockOf(text);
      const wrong = clock?.kind === 'at' && clock.zone ? zoneProblem(clock.zone) : undefined;
      if (wrong) error(report, 'unknownZone', place, wrong, { step: `${playbook.name}:${id}` });
    }
  }
}

function headsOf({ agents, metadata }: CompiledFile): Head[] {
  const playing = agents.filter(({ kind }) => kind === 'ai').map(({ name }) => [name]);
  const top = { line: 1, column: 1 };
  const below = ({ written }: { readonly written: string }): string =>
    `below the heading ${written}`;
  return [
    { metadata, place: top, of: 'at the head of the file', kind: 'file', whose: playing },
    ...agents.flatMap((agent): Head[] => {
      const whose = (...names: string[]): string[][] => (agent.kind === 'ai' ? [names] : []);
      const playbooks = agent.playbooks.map((playbook): Head => {
        const names = whose(playbookId(agent, playbook), agent.name);
        return { ...playbook, kind: 'playbook', of: below(playbook), whose: names };
      });
      return [{ ...agent, of: below(agent), whose: whose(agent.name) }, ...playbooks];
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

/** Keys for the delivery of messages to people, and the values that are followed. */
const delivery: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['delivery_channel', ['streaming']],
  ['meeting_notifications', ['all', 'targeted', 'none']],
  ...['streaming_enabled', 'streaming_chunk_size', 'buffer_timeout', 'buffer_messages'].map(
    (key): [string, string[]] => [key, []],
  ),
]);

/** What to do instead, where nothing comes of a key. */
function hintFor({ kind }: Head, key: string, value: unknown): string | undefined {
  const values = kind === 'human' ? delivery.get(key) : undefined;
  if (values && !values.includes(String(value))) {
    return values.length > 1 ? `want ${values.join(', ')}` : 'people are told everything at once';
  }
  if (kind !== 'file' && (key === 'timezone' || key === 'planvm')) {
    return 'it is of the whole file: write it at its head, between two lines ---';
  }
  if (key === 'startup_mode') {
    return 'an agent without a trigger At the beginning waits until it is called';
  }
  const known: readonly string[] = metadataKeys;
  const meant = known.includes(key) ? undefined : known.find((one) => isSlip(key, one));
  return meant && `did you mean ${meant}?`;
}

/** Short names are near to each other by chance. */
const isSlip = (key: string, known: string): boolean =>
  plain(key) === plain(known) ||
  (key.length > 4 && known.length > 4 && editDistance(plain(key), plain(known), 2) < 2);

const plain = (key: string): string => key.toLowerCase().replace(/[-_ ]/g, '');

/** Whom to tell of a model that is not asked. */
function modelHint({ whose }: Head, model: unknown, models: SaidModels): string | undefined {
  const { named, own } = models;
  if (isTranscript(own)) return undefined;
  if (modelProblem(model) !== undefined) return 'want PROVIDER/NAME, such as openai/gpt-5-mini';
  const isSaid = whose.every((names) => names.some((name) => name in named));
  const [[name] = []] = whose;
  if (name === undefined) return 'only agents that are neither people nor servers have a model';
  if (isSaid || isAsked(model, models)) return undefined;
  const where = own ? '' : `where the run has no model of ${providerOf(String(model))}, `;
  return (
    `${where}who runs it says so: --agent-model ${name}=${model}, or in planvm.config.json ` +
    `"playbooks": { "models": { "${name}": "${model}" } }`
  );
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
  plain(written.toLowerCase().replace(/^\s*(?:the\s+)?(?:agent\s+)?/, ''));
