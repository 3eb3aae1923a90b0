/** A playbook as the model that follows it sees it: all of its lines, the machine's marked. */
import {
  type CompiledPlaybook,
  isMachines,
  type Line,
} from '../../../dialects/playbook/compiled.ts';
import { signature } from '../../../dialects/playbook/source/heading.ts';

/** `description` is that of the playbook, with its placeholders filled in. */
export function playbookText(
  playbook: Omit<CompiledPlaybook, 'lines'>,
  lines: Iterable<Omit<Line, 'children'>>,
  description: string = playbook.description,
): string {
  const { notes } = playbook;
  const steps = [...lines].map((line) => {
    const indent = '  '.repeat(line.number.split('.').length - 1);
    const mark = isMachines(line) ? '=' : ' ';
    return withBlock(`${mark} ${indent}${line.number} ${line.text}`, line.block, `${indent}  `);
  });
  const mind = notes.map(({ id, text, block }) => withBlock(`${id} ${text}`, block, ''));
  return [
    `## ${signature(playbook)}`,
    ...(description.trim() === '' ? [] : [description.trim()]),
    ...(steps.length === 0 ? [] : ['### Steps', ...steps]),
    ...(mind.length === 0 ? [] : ['### Notes', ...mind]),
  ].join('\n');
}

/** The block of a line stands under it, further in. */
function withBlock(line: string, block: string | undefined, indent: string): string {
  if (block === undefined) return line;
  const inner = block.split('\n').map((one) => (one === '' ? '' : `${indent}  ${one}`));
  return [line, ...inner].join('\n');
}
