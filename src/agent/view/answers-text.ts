/** Answers as text. */
import type { RunResult } from '../../engine/result.ts';
import { stringify } from '../../program/json.ts';

/** All answers in their order, a line or more each: a text as it is, anything else as JSON. */
export const answersText = (answers: RunResult['answers'], indent?: number): string =>
  answers
    .map(({ value }) => (typeof value === 'string' ? value : stringify(value, indent)))
    .join('\n');
