/**
 * Steps of another text that a program carries out, such as lines of playbooks: the program says in
 * comments what they are, a line each, and enters them by `at_step(label, enter=True)`.
 *
 *     #: {"label": "Main:03", "kind": "QUE", "objective": "$x = F()", "line": 9, "column": 3}
 */
import type { Step } from '../../../program/program.ts';

const mark = '#: ';

export const stepComment = (step: Step): string => `${mark}${JSON.stringify(step)}`;

/** Comments that say something else are comments. */
export function declaredSteps(lines: readonly string[]): Step[] {
  return lines.flatMap((line) => (line.startsWith(`${mark}{`) ? stepIn(line) : []));
}

function stepIn(line: string): Step[] {
  try {
    const found: unknown = JSON.parse(line.slice(mark.length));
    return isStep(found) ? [found] : [];
  } catch {
    return [];
  }
}

const isStep = (found: unknown): found is Step => {
  const { label, kind, line, column } = Object(found);
  const areTexts = [label, kind].every((one) => typeof one === 'string');
  return areTexts && Number.isInteger(line) && Number.isInteger(column);
};
