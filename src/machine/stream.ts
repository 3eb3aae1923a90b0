/**
 * Streams: calls of tools whose results come in parts, each seen as soon as the journal has it. A
 * stream is an object of the guest that can be iterated and nothing else; leaving the loop over it
 * gives its call up.
 */
import { type HostObject, list, type ObjectType, type Value } from '../program/value.ts';
import { Fault, faults, Wait } from './values/fault.ts';
import { voidFault } from './window/call-off.ts';

/** `done`: no part follows. `gone`: nobody will send any more, though some were to come. */
type Ending = 'done' | 'gone';

export const streamType: ObjectType = { name: 'stream', isOpaque: true, item };

/** A stream that belongs to no call yet. */
export const newStream = (): HostObject => ({
  kind: 'object',
  type: streamType,
  fields: new Map<string, Value>([
    ['entry', 0],
    ['parts', list([])],
    ['ending', null],
    ['read', false],
  ]),
  frozen: false,
});

export const isStream = (value: object): value is HostObject =>
  'kind' in value && value.kind === 'object' && 'type' in value && value.type === streamType;

export const isOpenStream = (value: object): boolean =>
  isStream(value) && value.fields.get('ending') === null;

/** Takes a part; one that is there already, or that others are missing before, is ignored. */
export function addPart(stream: HostObject, index: number, value: Value): void {
  const parts = partsOf(stream);
  if (index === parts.length) parts.push(value);
}

export function endStream(stream: HostObject, ending: Ending): void {
  if (isOpenStream(stream)) stream.fields.set('ending', ending);
}

/** Gives it to the call that takes the entry with this number. */
export function belongTo({ fields }: HostObject, entry: number): void {
  fields.set('entry', entry);
}

/** The entry of its call. */
export const entryOf = (stream: HostObject): number => Number(stream.fields.get('entry'));

/** Whether the part with this index is still to come. */
export const isToCome = (stream: HostObject, index: number): boolean =>
  isOpenStream(stream) && index >= partsOf(stream).length;

function partsOf({ fields }: HostObject): Value[] {
  const parts = fields.get('parts');
  return typeof parts === 'object' && parts?.kind === 'list' ? parts.items : [];
}

/** A loop over it is over: its parts are let go. */
export function markRead(stream: HostObject): void {
  stream.fields.set('read', true);
  partsOf(stream).length = 0;
}

/**
 * The part at an index; waits for it. What iterates in one instruction comes again from the first
 * part on when one more is there.
 */
function item(stream: HostObject, index: number): Value | undefined {
  const parts = partsOf(stream);
  const { fields } = stream;
  if (fields.get('read') === true) throw iteratedAgain();
  if (index < parts.length) return parts[index];
  if (isOpenStream(stream)) throw new Wait({ on: 'part', stream, index });
  if (fields.get('ending') === 'gone') throw voidFault();
  return undefined;
}

const iteratedAgain = (): Fault =>
  new Fault(
    faults.notIterable,
    'a stream can be iterated once',
    'keep the parts: parts = [part for part in stream(tool, …)]',
  );
