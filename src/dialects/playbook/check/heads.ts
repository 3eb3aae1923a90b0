/** What stands above the lines of a file: metadata, models, meetings, times of triggers. */
import { nearest } from '../../../program/diagnostic.ts';
import { modelProblem, providerOf } from '../../../program/model-name.ts';
import type { Environment, SaidModels } from '../../dialect.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook } from '../compiled.ts';
import { ownManner, readManner, zoneProblem } from '../manner.ts';
import { error, type Report, warn } from '../report.ts';
import { meetingOf } from '../source/meeting.ts';
import { isAsked, isTranscript, playbookId } from '../source/models.ts';
import type { Metadata } from '../source/tree.ts';

const top = { line: 1, column: 1 };

export function checkHeads(file: CompiledFile, environment: Environment, report: Report): void {
  const { models = { named: {} } } = environment;
  checkManner(file.metadata, report);
  /** `players` are those who would be asked it, each by the names that a person may use. */
  const checkModel = (
    { metadata: { model }, place }: Pick<CompiledAgent, 'metadata' | 'place'>,
    where: string,
    players: readonly (readonly string[])[],
  ): void => {
    const hint = model === undefined ? undefined : modelHint(model, players, models);
    const message = `got model: ${String(model)} ${where}, of which nothing comes`;
    if (hint) warn(report, 'ignoredMetadata', place, message, { hint });
  };
  const below = ({ written }: CompiledAgent | CompiledPlaybook): string =>
    `below the heading ${written}`;
  const playing = file.agents.filter(({ kind }) => kind === 'ai');
  const everybody = playing.map(({ name }) => [name]);
  checkModel({ ...file, place: top }, 'at the head of the file', everybody);
  for (const agent of playing) {
    checkModel(agent, below(agent), [[agent.name]]);
    for (const playbook of agent.playbooks) {
      checkModel(playbook, below(playbook), [[playbookId(agent, playbook), agent.name]]);
      checkMeeting(playbook, file, report);
      for (const { clock, id, place } of playbook.triggers) {
        const wrong = clock?.kind === 'at' && clock.zone ? zoneProblem(clock.zone) : undefined;
        if (wrong) error(report, 'unknownZone', place, wrong, { step: `${playbook.name}:${id}` });
      }
    }
  }
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

/** Whom to tell of a model that is not asked. */
function modelHint(
  model: unknown,
  players: readonly (readonly string[])[],
  models: SaidModels,
): string | undefined {
  const { named, own } = models;
  if (isTranscript(own)) return undefined;
  if (modelProblem(model) !== undefined) return 'want PROVIDER/NAME, such as openai/gpt-5-mini';
  const [[name] = []] = players;
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
  written
    .toLowerCase()
    .replace(/^\s*(?:the\s+)?(?:agent\s+)?/, '')
    .replace(/[-_ ]/g, '');
