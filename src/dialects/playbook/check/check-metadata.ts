/** What metadata say of which nothing comes: how a file wants to be played, and slips in keys. */
import { editDistance } from '../../../program/diagnostic.ts';
import type { CompiledFile } from '../compiled/compiled.ts';
import { error, type Report, warn } from '../report.ts';
import { ownManner, readManner, zoneProblem } from '../source/manner.ts';
import { metadataKeys } from '../source/tree.ts';

/** In front matter or below headings; all else is free. */
const keys: readonly string[] = metadataKeys;

export function checkMetadata({ agents, metadata }: CompiledFile, report: Report): void {
  const head = { line: 1, column: 1 };
  const own = Object(ownManner(metadata));
  const { timezone, ...rest } = own;
  const wrong = timezone === undefined ? undefined : zoneProblem(String(timezone));
  if (wrong !== undefined) {
    error(report, 'unknownZone', head, `timezone: ${wrong}`, { about: 'timezone' });
  }
  for (const problem of readManner(Array.isArray(own) ? own : rest).problems) {
    const hint = 'it is left out; what can be said stands in the guide, under Settings';
    warn(report, 'ignoredMetadata', head, `planvm: ${problem}`, { hint, about: 'planvm' });
  }
  const below = agents.flatMap((agent) => [agent, ...agent.playbooks]);
  const all = below.map((one) => ({ ...one, of: `below the heading ${one.written}` }));
  for (const one of all) {
    for (const name of ['timezone', 'planvm'].filter((setting) => setting in one.metadata)) {
      const message = `got ${name} ${one.of}, of which nothing comes`;
      const hint = 'it is of the whole file: write it at its head, between two lines ---';
      warn(report, 'ignoredMetadata', one.place, message, { hint, about: name });
    }
  }
  for (const { metadata: said, of, place } of all) {
    if (!('startup_mode' in said)) continue;
    const message = `got startup_mode ${of}, of which nothing comes`;
    const hint = 'an agent without a trigger At the beginning does nothing until it is called';
    warn(report, 'ignoredMetadata', place, message, { hint, about: 'startup_mode' });
  }
  for (const one of [{ metadata, place: head, of: 'at the head of the file' }, ...all]) {
    for (const name of Object.keys(one.metadata)) {
      const meant = keys.find((key) => isSlip(name, key));
      if (meant === undefined || keys.includes(name)) continue;
      const message = `got ${name} ${one.of}, of which nothing comes`;
      warn(report, 'ignoredMetadata', one.place, message, {
        ...{ hint: `did you mean ${meant}?`, about: name },
      });
    }
  }
}

/** Short names are near to each other by chance. */
const isSlip = (name: string, key: string): boolean =>
  plain(name) === plain(key) ||
  (name.length > 4 && key.length > 4 && editDistance(plain(name), plain(key), 2) < 2);

const plain = (key: string): string => key.toLowerCase().replace(/[-_ ]/g, '');
