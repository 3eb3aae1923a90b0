/** A playbook as the model that follows it sees it. */
import type { LinkedPlaybook } from '../../../dialects/playbook/compiled/linked.ts';
import { twofoldIn } from '../../../dialects/playbook/compiled/twofold.ts';
import { withBlock } from '../../../dialects/playbook/text/blocks.ts';

const twoLine = (name: string): string =>
  `(${name} and $${name} are two variables: name each as its line does, and as {${name}} and ` +
  `{$${name}} in texts and arguments.)`;

/** `description` is that of the playbook, with its placeholders filled in. */
export function playbookText(playbook: LinkedPlaybook, description: string): string {
  const { name, parameters, returns, lines, notes } = playbook;
  const given = parameters.map((one) => {
    const sign = one.scope === 'state' ? '$' : '';
    const type = one.type === undefined ? '' : `: ${one.type}`;
    const standard = one.default === undefined ? '' : ` = ${one.default}`;
    return `${sign}${one.name}${type}${standard}`;
  });
  const gives = returns === undefined ? '' : ` -> ${returns}`;
  const steps = [...lines.values()].map(({ step }) => {
    const depth = step.number.split('.').length - 1;
    const indent = '  '.repeat(depth);
    return withBlock(`${indent}${step.number}:${step.code} ${step.text}`, step.block, indent);
  });
  return [
    `## ${name}(${given.join(', ')})${gives}`,
    ...(description.trim() === '' ? [] : [description.trim()]),
    ...(steps.length === 0 ? [] : ['### Steps', ...steps]),
    ...twofoldIn(playbook).map(twoLine),
    ...(notes.length === 0
      ? []
      : ['### Notes', ...notes.map(({ id, text, block }) => withBlock(`${id} ${text}`, block))]),
  ].join('\n');
}
