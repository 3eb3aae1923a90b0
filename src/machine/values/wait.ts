/** Waiting: what an instruction throws that needs what is not there yet. */
import type { HostObject, Pending } from '../../program/value.ts';

/** What an entry is taken for, as far as the room of a window depends on it. */
export type Room = 'call' | 'emit' | 'lift';

/** What keeps the machine from going on. */
export type Blocked =
  | { readonly on: 'value'; readonly pending: Pending }
  | { readonly on: 'room'; readonly room: Room }
  | { readonly on: 'barrier' }
  | { readonly on: 'held' }
  | { readonly on: 'part'; readonly stream: HostObject; readonly index: number }
  | { readonly on: 'outer'; readonly target: object }
  | { readonly on: 'text' };

/** Thrown by an instruction that has to wait; nothing has moved (M2). */
export class Wait {
  readonly blocked: Blocked;
  constructor(blocked: Blocked) {
    this.blocked = blocked;
  }
}
