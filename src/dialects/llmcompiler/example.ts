/** An example of a call as plans of tasks and transcripts write it: `search["query"]`. */
import type { ToolSpec } from '../../program/effect.ts';
import { writtenExample } from '../example-arguments.ts';

/** Undefined where none can be made of the schema. */
export function exampleCall(spec: ToolSpec): string | undefined {
  const written = writtenExample(spec, taskText);
  return written === undefined ? undefined : `${spec.name}[${written}]`;
}

/** JSON as an argument: what would be a reference in a text of it is escaped. */
export const taskText = (value: unknown): string =>
  JSON.stringify(value).replace(/\$(?=[\w{$])/g, '\\$');
