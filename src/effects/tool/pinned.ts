/**
 * Parameters of a tool that a person has given a value, once and for all: programs and models see
 * none of them, and a program that gives another value is refused. A value by reference to the
 * environment is read when a call is made, so it is in no request, journal or prompt.
 */
import { type Handler, refusal } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { stringify } from '../../program/json.ts';

/** By parameter: a value, or `{ env: NAME }`. */
export type Pins = Readonly<Record<string, unknown>>;

/** The declaration without what is pinned. */
export function pinnedSpec(spec: ToolSpec, pins: Pins): ToolSpec {
  const { properties = {}, required = [], ...rest } = spec.parameters;
  const isFree = (name: string): boolean => !Object.hasOwn(pins, name);
  const left = Object.entries(properties).filter(([name]) => isFree(name));
  return {
    ...spec,
    parameters: {
      ...rest,
      properties: Object.fromEntries(left),
      ...(required.some(isFree) && { required: required.filter(isFree) }),
      // Where there was no other, an empty list would allow any.
      ...(left.length === 0 && { additionalProperties: false }),
    },
    ...(spec.requires && { requires: spec.requires.filter(isFree) }),
  };
}

/** The tool with what is pinned filled in. */
export function pinned(
  handler: Handler,
  pins: Pins,
  env: Readonly<Record<string, string | undefined>>,
): Handler {
  const { name } = handler.spec;
  return {
    ...handler,
    spec: pinnedSpec(handler.spec, pins),
    async perform(args, context) {
      const values = Object.entries(pins).map(([key, pin]) => [key, pinValue(pin, env, name)]);
      const whole: Record<string, unknown> = { ...args };
      for (const [key, value] of values) {
        const parameter = String(key);
        const given = whole[parameter];
        if (given !== undefined && stringify(given) !== stringify(value)) {
          throw refusal('PV4207', `${name}: ${parameter} is set, and not by programs`, {
            hint: `leave ${parameter} out`,
          });
        }
        whole[parameter] = value;
      }
      return await handler.perform(whole, context);
    },
  };
}

/** As people are shown them: a variable by its name. */
export const shownPins = (pins: Pins): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pins).map(([key, pin]) => {
      const variable = variableOfPin(pin);
      return [key, variable === undefined ? stringify(pin) : `$${variable}`];
    }),
  );

/** The variable that a pin refers to; undefined for a value. */
export function variableOfPin(pin: unknown): string | undefined {
  if (typeof pin !== 'object' || pin === null || !('env' in pin)) return undefined;
  return typeof pin.env === 'string' && Object.keys(pin).length === 1 ? pin.env : undefined;
}

function pinValue(
  pin: unknown,
  env: Readonly<Record<string, string | undefined>>,
  tool: string,
): unknown {
  const variable = variableOfPin(pin);
  if (variable === undefined) return pin;
  const value = env[variable]?.trim() ?? '';
  if (value !== '') return value;
  throw refusal('PV4208', `${tool} takes a value out of ${variable}, which is not set`, {
    hint: `set ${variable} in the environment or in .env`,
  });
}
