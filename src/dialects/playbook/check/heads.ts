/** What stands above the lines of a file: metadata, models, meetings, times of triggers. */
import { editDistance, nearest } from '../../../program/diagnostic.ts';
import { modelProblem, providerOf } from '../../../program/model-name.ts';
import type { Environment, SaidModels } from '../../dialect.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook } from '../compiled.ts';
import { ownManner, readManner, zoneProblem } from '../manner.ts';
import { error, type Report, warn } from '../report.ts';
import { meetingOf } from '../source/meeting.ts';
import { isAsked, isTranscript, playbookId } from '../source/models.ts';
import { type Metadata, metadataKeys, type Place } from '../source/tree.ts';

/** Something that has metadata. */
interface Head {
  readonly metadata: Metadata;
  readonly place: Place;
  /** In words: `below the heading Main`. */
  readonly where: string;
  readonly isFile?: true;
  /** Whoever would be asked its model, each by the names that a person may use. */
  readonly players: readonly (readonly string[])[];
}

const top = { line: 1, column: 1 };

export function checkHeads(file: CompiledFile, environment: Environment, report: Report): void {
  const { models = { named: {} } } = environment;
  checkManner(file.metadata, report);
  for (const head of headsOf(file)) {
    for (const [key, value] of Object.entries(head.metadata)) {
      const hint = key === 'model' ? modelHint(head, value, models) : hintFor(head, key);
      const shown = key === 'model' ? `model: ${String(value)}` : key;
      const message = `got ${shown} ${head.where}, of which nothing comes`;
      if (hint) warn(report, 'ignoredMetadata', head.place, message, { hint });
    }
  }
  for (const playbook of file.agents.filter(isPlaying).flatMap(({ playbooks }) => playbooks)) {
    checkMeeting(playbook, file, report);
    for (const { clock, id, place } of playbook.triggers) {
      const wrong = clock?.kind === 'at' && clock.zone ? zoneProblem(clock.zone) : undefined;
      if (wrong) error(report, 'unknownZone', place, wrong, { step: `${playbook.name}:${id}` });
    }
  }
}

const isPlaying = ({ kind }: CompiledAgent): boolean => kind === 'ai';

function headsOf({ agents, metadata }: CompiledFile): Head[] {
  const headOf = (head: CompiledAgent | CompiledPlaybook, players: string[][]): Head => {
    const { metadata: own, place, written } = head;
    return { metadata: own, place, where: `below the heading ${written}`, players };
  };
  const players = agents.filter(isPlaying).map(({ name }) => [name]);
  return [
    { metadata, place: top, where: 'at the head of the file', isFile: true, players },
    ...agents.flatMap((agent) => {
      const playersOf = (...names: string[]) => (isPlaying(agent) ? [names] : []);
      const playbooks = agent.playbooks.map((playbook) =>
        headOf(playbook, playersOf(playbookId(agent, playbook), agent.name)),
      );
      return [headOf(agent, playersOf(agent.name)), ...playbooks];
    }),
  ];
}

/** How a file wants to be run. */
function checkManner(metadata: Metadata, report: Report): void {
  const own = Object(ownManner(metadata));
  const { timezone, ...others } = own;
  const zone = timezone === undefined ? undefined : zoneProblem(String(timezone));
  if (zone) error(report, 'unknownZone', top, `timezone: ${zone}`);
  for (const problem of readManner(Array.isArray(own) ? own : others).problems) {
    const hint = 'it is left out; what can be said stands in the guide, under Settings';
    warn(report, 'ignoredMetadata', top, `planvm: ${problem}`, { hint });
  }
}

/** What to do instead, where nothing comes of a key. */
function hintFor({ isFile }: Head, key: string): string | undefined {
  if (!isFile && (key === 'timezone' || key === 'planvm')) {
    return 'it is of the whole file: write it at its head, between two lines ---';
  }
  if (key === 'startup_mode') {
    return 'an agent without a trigger At the beginning waits until it is called';
  }
  const known: readonly string[] = metadataKeys;
  const meant = known.includes(key) ? undefined : known.find((other) => isSlip(key, other));
  return meant && `did you mean ${meant}?`;
}

/** Short names are near to each other by chance. */
const isSlip = (key: string, known: string): boolean =>
  plain(key) === plain(known) ||
  (key.length > 4 && known.length > 4 && editDistance(plain(key), plain(known), 2) < 2);

const plain = (key: string): string => key.toLowerCase().replace(/[-_ ]/g, '');

/** Whom to tell of a model that is not asked. */
function modelHint({ players }: Head, model: unknown, models: SaidModels): string | undefined {
  const { named, own } = models;
  if (isTranscript(own)) return undefined;
  if (modelProblem(model) !== undefined) return 'want PROVIDER/NAME, such as openai/gpt-5-mini';
  const [[name] = []] = players;
  if (name === undefined) return 'only agents that are neither people nor servers have a model';
  const isSaid = players.every((names) => names.some((player) => player in named));
  if (isSaid || isAsked(model, models)) return undefined;
  const where = own ? '' : `where the run has no model of ${providerOf(String(model))}, `;
  return (
    `${where}who runs it says so: --agent-model ${name}=${model}, or in planvm.config.json ` +
    `"playbooks": { "models": { "${name}": "${model}" } }`
  );
}

function checkMeeting(playbook: CompiledPlaybook, { agents }: CompiledFile, report: Report): void {
  const { optional = [], required = [] } = meetingOf(playbook) ?? {};
  const all = ['User', ...agents.flatMap(({ name, written }) => [name, written])];
  const known = new Set(all.map(plainName));
  for (const attendee of [...required, ...optional]) {
    if (known.has(plainName(attendee))) continue;
    const near = nearest(attendee, all);
    const hint = near === undefined ? `there are ${all.join(', ')}` : `did you mean ${near}?`;
    const message = `got ${attendee} to attend, which is not an agent of the file`;
    warn(report, 'unknownAttendee', playbook.place, message, { step: playbook.name, hint });
  }
}

/** `agent Bike desk`, `BikeDesk` and `bike_desk` are the same. */
const plainName = (written: string): string =>
  plain(written.toLowerCase().replace(/^\s*(?:the\s+)?(?:agent\s+)?/, ''));
