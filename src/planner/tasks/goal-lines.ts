/** A goal and the tools for it as a model reads them, in the language of its prompt. */
import { actionToolLines } from '../../dialects/llmcompiler/describe.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { stringify } from '../../program/json.ts';
import type { Goal } from '../goal.ts';
import { dayAt, shortened } from '../prompt.ts';
import type { Words } from './words.ts';

/**
 * `isNamed`: whether the reply may refer to what was given by its name; `at`: when it is asked, in
 * milliseconds since 1970.
 */
export function goalLinesIn(
  { text, language, format, given = {} }: Goal,
  words: Words,
  isNamed: boolean,
  at: number,
): string[] {
  const values = Object.entries(given);
  const [first] = values;
  return [
    words.question(text),
    words.today(dayAt(at)),
    ...(language ? [words.answerLanguage(language)] : []),
    ...(format ? [words.answerForm(format)] : []),
    ...(first ? [words.given] : []),
    ...values.map(([name, value]) => `- ${name} = ${shortened(stringify(value))}`),
    ...(first && isNamed ? [words.givenName(`\${${first[0]}}`)] : []),
  ];
}

/**
 * What tools declare is told in the words in which all dialects tell it. `others`: which more there
 * are, as a section; empty where these are all.
 */
export function toolLinesIn(
  specs: readonly ToolSpec[],
  others: string | undefined,
  words: Words,
): string[] {
  const head = others ? words.someTools : words.tools;
  const shown = [head, ...specs.flatMap((spec) => actionToolLines(spec))].join('\n');
  if (specs.length === 0) return [others || words.noTools];
  return others ? [shown, others] : [shown];
}
