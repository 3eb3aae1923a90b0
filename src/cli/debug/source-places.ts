/**
 * Places of a text as people name them: a line of it, `13` or `desk.playbook.md:13`, stands for the
 * steps that were made of that line. A line may be several steps, in several places; where it does
 * something, what it only waits or comes back with is not meant.
 */
import { basename } from 'node:path';
import type { Program, Step } from '../../program/program.ts';

/** Labels of the steps that a name means; none where there is nothing of that name. */
export function labelsAt({ steps }: Program, named: string): readonly string[] {
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
 * A line of a playbook, or the playbook, as labels have it: with its agent only where there are
 * several. Errors name that always, and a person only where the playbook alone does not say it.
 */
export function asLabelled(program: Program, named: string): string {
  const { chunks, steps } = program;
  const [, place = named, visit = ''] = /^(.*?)(@\d+)?$/s.exec(named) ?? [];
  if (labelsAt(program, place).length > 0) return named;
  const [, agent, rest = '', title] = /^([^.:]+)\.(([^.:]+).*)$/.exec(place) ?? [];
  if (agent !== undefined) {
    const id = `${agent}.${title}`;
    return chunks.some(({ constants }) => constants.includes(id)) ? `${rest}${visit}` : named;
  }
  const agents = steps.flatMap(({ label }) => {
    const isIts = label.endsWith(`.${place}`) || label.includes(`.${place}:`);
    return isIts ? [label.slice(0, label.indexOf('.'))] : [];
  });
  const [only, other] = new Set(agents);
  return only !== undefined && other === undefined ? `${only}.${named}` : named;
}

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
