/** `planvm compile --diff`: the lines of playbooks, and beside each the steps that it became. */
import { flatLines, isMachines, type Line } from '../../dialects/playbook/compiled.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import { flatLines as flatSource, type SourceLine } from '../../dialects/playbook/source/tree.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { clip, oneLine } from '../view/text.ts';

const width = 56;

/** `compiled` is a text as `planvm compile` prints it. */
export function sideBySide(
  source: string,
  compiled: string,
  tools: ReadonlyMap<string, ToolSpec>,
): string {
  const { file } = readTree(source).tree;
  const { agents } = compiledOf(readTree(compiled).tree, tools.values());
  const lines = agents.flatMap(({ playbooks }) => playbooks.flatMap((one) => flatLines(one.lines)));
  const steps = Map.groupBy(lines, ({ place }) => keyOf(place));
  const rows = file.agents.flatMap((agent) =>
    agent.playbooks.flatMap((playbook) => [
      `${agent.name}.${playbook.name}`,
      ...flatSource(playbook.steps).flatMap(({ place, text }) => {
        const own = steps.get(keyOf(place)) ?? [];
        const left = clip(`${String(place.line).padStart(4)} ${oneLine(text)}`, width);
        const [first, ...others] = own.length === 0 ? [''] : own.map(stepText);
        return [
          `${left.padEnd(width)}  ${first}`.trimEnd(),
          ...others.map((step) => `${' '.repeat(width)}  ${step}`),
        ];
      }),
      '',
    ]),
  );
  return `${rows.join('\n').trimEnd()}\n`;
}

const keyOf = ({ column, file = '', line }: SourceLine['place']): string =>
  [line, column, file].join(' ');

const stepText = (line: Line): string =>
  `${line.number}:${line.code}${isMachines(line) ? ' ' : '?'} ${oneLine(line.text)}`;
