/** What tests of playbooks share: a playbook around some steps, compiled. */
import type {
  CompiledFile,
  CompiledPlaybook,
  Step,
} from '../../../src/dialects/playbook/compiled/compiled.ts';
import { flatSteps } from '../../../src/dialects/playbook/compiled/graph.ts';
import type { LinkedPlaybook } from '../../../src/dialects/playbook/compiled/linked.ts';
import { type LinkOptions, link } from '../../../src/dialects/playbook/link/link.ts';
import { compiledOf, readTree } from '../../../src/dialects/playbook/tree-of.ts';

export const fileOf = (text: string, tools: readonly string[] = []): CompiledFile =>
  compiledOf(readTree(text).tree, tools);

/** A program of one playbook with those steps; further playbooks behind it. */
export const program = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n${rest}`;

export function mainOf(text: string, tools: readonly string[] = []): CompiledPlaybook {
  const [playbook] = fileOf(text, tools).agents[0]?.playbooks ?? [];
  if (!playbook) throw new Error(`no playbook in ${text}`);
  return playbook;
}

/** The steps as compiled files show them, without their places: `01:QUE Say(user, "Hi")`. */
export const rows = (steps: readonly Step[]): string[] =>
  flatSteps(steps).map(({ code, isAmbiguous, number, text }) =>
    `${number}:${code}${isAmbiguous ? '?' : ''} ${text}`.trimEnd(),
  );

export const stepsOf = (steps: string, rest = '', tools: readonly string[] = []): string[] =>
  rows(mainOf(program(steps, rest), tools).steps);

/** The one with those steps, ready to be played. */
export function linked(steps: string, rest = '', options: LinkOptions = {}): LinkedPlaybook {
  const [playbook] = link(fileOf(program(steps, rest)), options).agents[0]?.playbooks ?? [];
  if (!playbook) throw new Error('no playbook');
  return playbook;
}
