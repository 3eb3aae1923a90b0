/**
 * What the record of an imported run keeps of what commands put there: what the run is, so that it
 * is shown as it was, and what a loop over tasks or playbooks is made of. None of it allows
 * anything. What does not have its shape is left out, and with it what comes after the run.
 *
 * Runs of the other control loops are only shown: nothing that they were made of is taken over.
 */
import { basename } from 'node:path';
import { chats, strictnesses } from '../../dialects/playbook/manner.ts';
import type { KeptSettings } from '../../engine/journal/distrust.ts';
import { routes } from '../../planner/goal.ts';
import { isTaskLoop } from '../../planner/tasks/task-loops.ts';
import { limitTable } from '../../program/limits.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const isOneOf =
  (words: readonly string[]) =>
  (value: unknown): boolean =>
    words.some((word) => word === value);

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

/** The fields that fit; undefined where one of `required` does not. */
function fitting(value: unknown, required: Checks, optional: Checks): Fields | undefined {
  if (!isFields(value)) return undefined;
  const fits = ([name, check]: [string, Checks[string]]): boolean =>
    Object.hasOwn(value, name) && check?.(value[name]) === true;
  if (!Object.entries(required).every(fits)) return undefined;
  const names = [...Object.entries(required), ...Object.entries(optional)].filter(fits);
  return Object.fromEntries(names.map(([name]) => [name, value[name]]));
}

/** Settings that say that a run is one of a loop whose parts are not taken over. */
const otherLoops = ['talking', 'planning', 'changing', 'judging'];

export const importedSettings: KeptSettings = (data) => {
  const { file, joins, taskLoop, playbook } = data;
  const asked = otherLoops.some((name) => data[name] !== undefined) ? undefined : askedIn(data);
  const tasks = fitting(
    taskLoop,
    { loop: (name) => isText(name) && isTaskLoop(name), language: isOneOf(['en', 'fr']) },
    { native: isFlag, examples: isText },
  );
  const playing = fitting(
    playbook,
    { text: isText, inlineSteps: isCount, strictness: isOneOf(strictnesses) },
    {
      // Without a version it is a run of an earlier one.
      version: isCount,
      ...{ chat: isOneOf(chats), sessionTokensMax: isCount },
      ...{ turns: isCount, depth: isCount, slips: isCount },
    },
  );
  return {
    ...(isText(file) && { file: basename(file.replaceAll('\\', '/')) }),
    ...(joins === true && { joins }),
    ...(asked && { asked }),
    ...(tasks && { taskLoop: tasks }),
    ...(playing && { playbook: playing }),
  };
};

/** What was asked for, with no more corrections than a run has where nobody says. */
function askedIn({ asked }: Fields): Fields | undefined {
  const isGoal = (goal: unknown): boolean => isFields(goal) && isText(goal.text);
  const isTexts = (texts: unknown): boolean => Array.isArray(texts) && texts.every(isText);
  const found = fitting(
    asked,
    { goal: isGoal, corrections: isCount, repairs: isCount, refused: isTexts, sequential: isFlag },
    { revisions: isCount, dialect: isText, route: isOneOf(routes), confirm: isFlag, from: isText },
  );
  const most = limitTable.repairs.default;
  const bounded = Object.entries(found ?? {}).map(([name, value]) => [
    name,
    isCount(value) ? Math.min(value, most) : value,
  ]);
  return found && Object.fromEntries(bounded);
}
