/** A dialect that somebody names, with all that it can do. */
import { type AnyDialect, dialects } from '../../dialects/index.ts';
import { requireAmong } from './check.ts';

/** Throws `AgentError` PV2001 where there is none of that name. */
export const requireDialect = (name: string): AnyDialect => requireAmong(dialects, name);
