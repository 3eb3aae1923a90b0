/**
 * How outcomes and parts take hold. At once, as a rule: what waits for them goes on, whatever else
 * is being computed. But fibers share their room: who gets what one of them leaves could depend on
 * what came in one go, and so could what is asked for behind a failure. While there are any, one
 * outcome at a time takes hold, when all lines wait again, and the others stand in `Hub.arrived`
 * (F4 of fibers.ts).
 */
import type { EffectError } from '../../program/effect.ts';
import type { Arrival, State } from '../state.ts';
import { settlePart } from './parts.ts';
import { issuerOf } from './request.ts';
import { settleEffect } from './settle.ts';

export function settle(main: State, effect: string, result: string | EffectError): void {
  if (mustWait(main)) {
    main.hub.arrived.push({ effect, result });
    return;
  }
  const issuer = issuerOf(main, effect);
  if (issuer) settleEffect(issuer, effect, result);
}

/** `value` as in an outcome. */
export function settlePartOf(main: State, effect: string, part: number, value: string): void {
  if (mustWait(main)) main.hub.arrived.push({ effect, part, result: value });
  else takeHold(main, { effect, part, result: value });
}

/** Lets the next one take hold; false where there is none. */
export function takeNext(main: State): boolean {
  const next = main.hub.arrived.shift();
  if (next) takeHold(main, next);
  return next !== undefined;
}

function mustWait({ hub: { alive, arrived, ready } }: State): boolean {
  return arrived.length > 0 || (alive > 0 && ready.size > 0);
}

/** What the machine no longer waits for is ignored. */
function takeHold(main: State, { effect, part, result }: Arrival): void {
  const issuer = issuerOf(main, effect);
  if (!issuer) return;
  if (part === undefined) settleEffect(issuer, effect, result);
  else if (typeof result === 'string') settlePart(issuer, effect, part, result);
}
