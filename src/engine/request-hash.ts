/** What recognises a request when it is made again. */
import { hash } from 'node:crypto';
import type { Request } from '../program/effect.ts';

/** The hash that recognises a request. Arguments hold no raw line break, so the form is unique. */
export function hashOf(request: Pick<Request, 'tool' | 'args'>): string {
  return hash('sha256', `${request.tool}\n${request.args}`);
}
