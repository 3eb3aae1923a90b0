/** Values as a model is shown them. */
import { stringify } from '../../program/json.ts';

/** A text as it is, anything else as JSON. */
export const written = (value: unknown): string =>
  typeof value === 'string' ? value : stringify(value);
