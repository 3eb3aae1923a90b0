/** A tool whose calls overlap when nothing keeps them apart, and the log that shows whether they do. */
import type { Handler } from '../../../src/engine/handler.ts';
import { quickTool, settle } from '../../engine/support.ts';

/** Of a tool that takes one argument, anything. */
export const takesWhat = { type: 'object', properties: { what: {} }, required: ['what'] };

/** A reading tool `look` that takes its time; when its calls began and ended. */
export function slowTool(): { readonly tool: Handler; readonly log: string[] } {
  const log: string[] = [];
  const tool = {
    ...quickTool('look', () => '', { parameters: takesWhat }),
    perform: async ({ what }: Readonly<Record<string, unknown>>) => {
      log.push(`${what} begins`);
      await settle();
      log.push(`${what} ends`);
      return `found ${what}`;
    },
  };
  return { tool, log };
}
