/** The effects of the loop over playbooks, by name. */
import type { Handler } from '../../engine/handler.ts';
import { type TurnOptions, turnHandler } from './turn.ts';

export type PlaybookOptions = TurnOptions;

export function playbookHandlers(options: PlaybookOptions): Map<string, Handler> {
  const handlers = [turnHandler(options)];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}
