/**
 * Whom playbooks speak to: somebody whom the file does not have is said, never silently taken for
 * the user. And what is said of people in their metadata, as far as anything comes of it.
 */
import { nearest } from '../../../program/diagnostic.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { error, type Report, warn } from '../report.ts';
import type { Place } from '../source/tree.ts';
import type { Names } from '../steps/names/names.ts';
import { personWord } from '../text/words.ts';

/** Of a playbook, each line that speaks to somebody. */
export function checkTargets(
  { name, steps }: CompiledPlaybook,
  { agents }: CompiledFile,
  { others }: Names,
  report: Report,
): void {
  const all = [...agents.flatMap((one) => [one.name, one.written]), ...others.keys()];
  const known = new Map(all.map((one) => [key(one), one]));
  for (const step of flatSteps(steps)) {
    const at = { step: `${name}:${step.number}` };
    const to = step.say?.to ?? 'user';
    if (step.say && to !== 'user') {
      if (isOpen(to) || known.has(key(to)) || personWord.test(to)) continue;
      const say = step.say.isLiteral ? error : warn;
      const message = `got ${to} to say this to, and there is nobody of that name`;
      say(report, 'unknownTarget', step.place, message, {
        ...at,
        hint: hintFor(to, known),
        about: to,
      });
      continue;
    }
    const meant = named(step);
    if (meant === undefined || known.has(key(meant))) continue;
    const message = `got ${meant}, who is nobody of the file: at best, the user is spoken to`;
    warn(report, 'unknownTarget', step.place, message, {
      ...at,
      hint: hintFor(meant, known),
      about: meant,
    });
  }
}

/** What is decided while it runs, by a variable or a meeting. */
const isOpen = (to: string): boolean => /^(?:\$|meeting\b|agent \w)/i.test(to);

/** How two names are compared: `Bike desk` and `BikeDesk` are one. */
const key = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const spokenTo = new RegExp(
  '^(?:ask|tell|inform|notify|remind|demande[rz]? à|informe[rz]?)\\s+(\\p{Lu}[\\p{L}\\p{N}_]+)' +
    '(?=\\s+(?:for|to|about|whether|if|what|which|who|how|when|where|why|that|of|and|' +
    'pour|si|que)\\b)',
  'iu',
);

/** Somebody with a name whom the words of a line are for. */
function named({ isAmbiguous, say, text }: Step): string | undefined {
  const words = say ? !say.isLiteral && say.text : isAmbiguous && text;
  const name = words ? spokenTo.exec(words.trim())?.[1] : undefined;
  return name === undefined || !/^\p{Lu}/u.test(name) || personWord.test(name) ? undefined : name;
}

function hintFor(name: string, known: ReadonlyMap<string, string>): string {
  const near = nearest(key(name), known.keys());
  const meant = near === undefined ? undefined : known.get(near);
  return meant === undefined ? `write # ${name}:Human for a person` : `did you mean ${meant}?`;
}

/** What the metadata of a person may say, with what they can be as far as that is done. */
const honoured: ReadonlyMap<string, readonly string[]> = new Map([
  ['name', []],
  ['delivery_channel', ['streaming']],
  ['meeting_notifications', ['all', 'targeted', 'none']],
]);

const ofDelivery: ReadonlySet<string> = new Set([
  ...['delivery_channel', 'streaming_enabled', 'streaming_chunk_size', 'buffer_timeout'],
  ...['buffer_messages', 'meeting_notifications', 'chunk_size'],
]);

/** A person plays nothing, and hears everything as it is said. */
export function checkPerson(agent: CompiledAgent, report: Report): void {
  const { metadata, name, place, playbooks } = agent;
  const [first] = playbooks;
  if (first) playedByNobody(first.written, name, first.place, report);
  for (const [setting, value] of Object.entries(metadata)) {
    if (!ofDelivery.has(setting) || honoured.get(setting)?.includes(String(value))) continue;
    const message = `got ${setting}: ${String(value)} for ${name}, of which nothing comes`;
    const hint =
      setting === 'meeting_notifications'
        ? 'want all, targeted (what names them) or none'
        : 'what is said reaches a person at once, as delivery_channel: streaming says';
    warn(report, 'ignoredMetadata', place, message, { hint });
  }
}

/** Neither servers nor people follow playbooks. */
export function playedByNobody(written: string, agent: string, place: Place, report: Report): void {
  const message = `got the playbook ${written} of ${agent}, which no model is, so nobody plays it`;
  warn(report, 'playedByNobody', place, message, { hint: 'give it to an agent that a model is' });
}
