/** The effects of the loop over playbooks, by name. */
import type { Model } from '../../effects/model/model.ts';
import type { Handler } from '../../engine/handler.ts';
import { dueTimeHandler } from './due-time.ts';
import { matchTriggersHandler } from './match-triggers.ts';
import { type TurnOptions, turnHandler } from './turn.ts';

export interface PlaybookOptions extends TurnOptions {
  /** Says which triggers hold, where that is not the model that follows playbooks. */
  readonly judge?: () => Model;
}

export function playbookHandlers(options: PlaybookOptions): Map<string, Handler> {
  const judge = matchTriggersHandler(options.judge ?? (() => options.model()));
  const handlers = [turnHandler(options), judge, dueTimeHandler];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}
