/** The effects of the loop over playbooks, by name. */
import type { Model } from '../../effects/model/model.ts';
import type { Handler } from '../../engine/handler.ts';
import { dueTimeHandler } from './due-time.ts';
import {
  type Allowed,
  completeHandler,
  giveUpHandler,
  moreOfHandler,
  warnOfHandler,
} from './ends.ts';
import { matchTriggersHandler } from './match-triggers.ts';
import { type TurnOptions, turnHandler } from './turn.ts';

export interface PlaybookOptions extends TurnOptions {
  /** Says which triggers hold, where that is not the model that follows playbooks. */
  readonly judge?: () => Model;
  readonly allowed: Allowed;
}

export function playbookHandlers(options: PlaybookOptions): Map<string, Handler> {
  const { allowed, file, judge, model } = options;
  const handlers = [
    turnHandler(options),
    matchTriggersHandler(judge ?? (() => model())),
    completeHandler(file, model),
    ...[dueTimeHandler, giveUpHandler, moreOfHandler(allowed), warnOfHandler],
  ];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}
