/** What recognises a request when it is made again. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Request } from '../program/effect.ts';

/**
 * The hash that recognises a request. Arguments hold no raw line break, so the form is unique. With
 * the key of its run it tells nobody who does not have that anything about them.
 */
export function hashOf(request: Pick<Request, 'tool' | 'args'>, key: string = noKey): string {
  const text = `${request.tool}\n${request.args}`;
  if (key === noKey) return hash('sha256', text);
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Of runs whose tools declare no secrets: equal requests of two runs have equal hashes. */
export const noKey = '';

export const newKey = (): string => randomBytes(16).toString('hex');
