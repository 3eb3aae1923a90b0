/**
 * Steps as people name them: as they are printed, or without what that has besides, `main:3`,
 * `Desk.Main:03`, `offer the bikes:1`; a playbook alone for its first line; or a line of the text,
 * `13` or `desk.playbook.md:13`, for the steps that were made of it. A line may be several steps,
 * in several places; where it does something, what it only waits or comes back with is not meant.
 */
import { basename } from 'node:path';
import { nearest } from '../../program/diagnostic.ts';
import { isOfAnother, type Program, type Step } from '../../program/program.ts';

/** Ids of the steps that a name means, with the visit that it says; itself where there is none. */
export function stepsNamed(program: Program, named: string): readonly string[] {
  const [place, visit] = partsOf(asLabelled(program, named));
  const labels = labelsAt(program, place);
  const at = visitOf(visit);
  return labels.length === 0 ? [`${place}${at}`] : labels.map((label) => `${label}${at}`);
}

/** Labels of the steps that a name means, whatever visit it says; none where there is no such. */
export function labelsNamed(program: Program, named: string): readonly string[] {
  const [place] = partsOf(asLabelled(program, named));
  return labelsAt(program, place);
}

/** The label of the step that a name means, whatever visit it says; itself where there is none. */
export function labelNamed(program: Program, named: string): string {
  const [place] = partsOf(asLabelled(program, named));
  return labelsAt(program, place)[0] ?? place;
}

/** A step, or a playbook, as labels have it; itself where nothing, or more than one, is meant. */
export function asLabelled(program: Program, named: string): string {
  const [place, visit] = partsOf(named);
  const at = visitOf(visit);
  if (labelsAt(program, place).length > 0) return `${place}${at}`;
  const [alike, other] = alikeIn(program, place);
  return alike === undefined || other !== undefined ? named : `${alike}${at}`;
}

/**
 * What may have been meant by a name that means nothing, or more than one: *did you mean X?* Of
 * those that are only near, `isThere` says which are asked about.
 */
export function nearSteps(
  whole: Program,
  named: string,
  isThere: (label: string) => boolean = () => true,
): string | undefined {
  if (labelsNamed(whole, named).length > 0) return undefined;
  const program = { ...whole, steps: whole.steps.filter(({ label }) => isThere(label)) };
  const [place] = partsOf(named);
  const alike = alikeIn(whole, place);
  const likely = alike.length > 0 ? alike : linesNear(program, place);
  if (likely.length > 0) return `did you mean ${likely.slice(0, 3).join(' or ')}?`;
  // Numbers are like each other without meaning each other.
  if (!/\p{L}/u.test(place)) return undefined;
  const { steps } = program;
  const all = isOfAnother(program) ? steps.filter(({ file }) => file !== undefined) : steps;
  const labels = new Set(all.map(({ label }) => label));
  // Another agent may have it.
  const close = nearest(place, labels) ?? nearest(place.replace(/^[^.:]+\./, ''), labels);
  return close === undefined ? undefined : `did you mean ${close}?`;
}

/** Of a number that no line of a playbook has: the last line before that, else its first one. */
function linesNear(program: Program, place: string): readonly string[] {
  const [, owner, written] = /^(.+?)(?:\s*:\s*|\s+)(\d+(?:\.\d+)*)$/s.exec(place) ?? [];
  if (owner === undefined || written === undefined) return [];
  const lines = program.steps.filter((step) => !isAside(step));
  return alikeIn(program, owner).flatMap((name) => {
    const own = lines.filter((step) => ownerOf(step) === name).toSorted(byNumber);
    const near = own.findLast(({ label }) => compared(numberOf(label), written) <= 0) ?? own[0];
    return near === undefined ? [] : [near.label];
  });
}

const byNumber = (a: Step, b: Step): number => compared(numberOf(a.label), numberOf(b.label));

const numberOf = (label: string): string => label.slice(label.lastIndexOf(':') + 1);

/** Below 0 where the first of two numbers, `02` and `02.01`, comes first. */
const compared = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** The first visit may be written out. */
const visitOf = (written: string): string => {
  const visit = Number(written.slice(1));
  return visit > 1 ? `@${visit}` : '';
};

/** A place, and the visit behind it; of a line within others, `A:01 > B:02`, the last. */
function partsOf(named: string): readonly [place: string, visit: string] {
  const bare = named
    .replace(/^.*\s>\s/s, '')
    .replace(/\s*\([^()]*\)\s*$/, '')
    .trim();
  const [, place = bare, visit = ''] = /^(.*?)(@\d+)?$/s.exec(bare) ?? [];
  return [place, visit];
}

function labelsAt({ steps }: Program, named: string): readonly string[] {
  const alone = steps.find(({ label }) => label === named);
  if (alone) return [named, ...copiesOf(alone, steps)];
  const first = steps.find(({ label }) => label.startsWith(`${named}:`));
  if (first) return [first.label, ...copiesOf(first, steps)];
  const [, file, line] = /^(?:(.+?):|:)?(\d+)$/.exec(named) ?? [];
  if (line === undefined) return [];
  const there = steps.filter(
    (step) =>
      step.file !== undefined &&
      step.line === Number(line) &&
      (file === undefined || basename(file) === basename(step.file)),
  );
  return [...Map.groupBy(there, ownerOf).values()].flatMap(mainOf);
}

/**
 * Labels, and names of playbooks, that are a name but for case, blanks, leading zeros and the
 * agent. Labels have that only where there are several; errors name it always, and a person only
 * where the playbook alone does not say it.
 */
function alikeIn({ chunks, steps }: Program, place: string): readonly string[] {
  const [, agent, rest = place] = /^([^.:]+)\.([^.:]+(?::.*)?)$/s.exec(place) ?? [];
  const whole = keyOf(place);
  const key = keyOf(rest);
  const isAgent = agent !== undefined && isKnown(chunks, `${agent}.${rest.replace(/:.*$/s, '')}`);
  const fits = (label: string): boolean => {
    const own = keyOf(label);
    if (own === whole) return true;
    const [, bare] = /^[^.:]+\.([^.:]+(?::.*)?)$/s.exec(own) ?? [];
    return bare === undefined ? isAgent && own === key : agent === undefined && bare === key;
  };
  const names = steps.flatMap(({ label }) => {
    const [owner = '', number] = label.split(':');
    return number === undefined ? [label] : [label, owner];
  });
  return [...new Set(names)].filter(fits);
}

const isKnown = (chunks: Program['chunks'], id: string): boolean =>
  chunks.some(({ constants }) =>
    constants.some((one) => typeof one === 'string' && keyOf(one) === keyOf(id)),
  );

const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\s+(?=[\d.]+$)/, ':')
    .replace(/[\s_-]+/g, '')
    .replace(/(?<=^|[:.])0+(?=\d)/g, '');

/** Where else the line of a step stands, in other playbooks. */
function copiesOf(step: Step, steps: readonly Step[]): readonly string[] {
  if (step.file === undefined || isAside(step)) return [];
  const alike = steps.filter(
    ({ file, line, column, kind, label }) =>
      file === step.file &&
      line === step.line &&
      column === step.column &&
      kind === step.kind &&
      label !== step.label,
  );
  return alike.filter((one) => ownerOf(one) !== ownerOf(step)).map(({ label }) => label);
}

/** The playbook that a line is of. */
const ownerOf = ({ label }: Step): string => label.slice(0, label.lastIndexOf(':'));

/** Of the steps of one line in one playbook, what the line does; a copy of it may stand twice. */
function mainOf(steps: readonly Step[]): readonly string[] {
  const main = steps.filter((step) => !isAside(step));
  const chosen = main.length > 0 ? main : steps.slice(0, 1);
  const [first] = chosen;
  return chosen.filter(({ kind }) => kind === first?.kind).map(({ label }) => label);
}

/** What a line only waits or comes back with. */
const isAside = ({ kind }: Step): boolean => kind === 'YLD' || kind === 'JMP';
