/** A run's event as `--events` prints it: one JSON document a line; `decodeValue` reads values. */
import type { WatchEvent } from '../../engine/events.ts';
import { decode, encodeValue, stringify, toJson } from '../../program/json.ts';
import type { RunEventDocument } from '../port/events.ts';

export function eventLine(event: WatchEvent): string {
  return stringify(eventDocument(event));
}

/** The event as plain JSON. */
export function eventDocument(event: WatchEvent): RunEventDocument {
  switch (event.type) {
    case 'run.started':
    case 'run.forked': {
      const { inputs, settings, ...run } = event.run;
      // With the key, hashes that stand in other lines would tell whether a guess is right.
      const { requestKey: _, ...shown } = JSON.parse(settings);
      return { ...event, run: { ...run, inputs: plain(inputs), settings: shown } };
    }
    case 'program.loaded':
    case 'program.replaced':
      return { ...event, tools: JSON.parse(event.tools) };
    case 'approval.requested':
      return { ...event, request: plain(event.request) };
    case 'effect.started':
      return event.request === undefined
        ? { ...event }
        : { ...event, request: plain(event.request) };
    case 'effect.settled': {
      const { outcome } = event;
      return {
        ...event,
        outcome: outcome.ok ? { value: plain(outcome.value) } : { error: outcome.error },
      };
    }
    case 'message.emitted':
      return { ...event, value: plain(event.value) };
    case 'run.finished':
    case 'run.failed':
    case 'run.waiting':
    case 'run.suspended':
    case 'run.cancelled': {
      // The result is the last line of the stream.
      const { result: _result, ...rest } = event;
      return rest;
    }
    default:
      return { ...event };
  }
}

const plain = (canonical: string): unknown => encodeValue(toJson(decode(canonical)));
