/** Handlers whose arguments are held against all that their JSON Schema says, bounds included. */
import { type EffectFailure, type Handler, refusal } from '../../engine/handler.ts';
import type { SchemaCheck } from '../json-schema.ts';
import { isPlain, schemaCheck } from './argument-check.ts';

/** The engine has checked types and names; a handler that is `isPlain` stays as it is. */
export function checkedHandler(handler: Handler): Handler {
  const { spec } = handler;
  if (isPlain(spec.parameters)) return handler;
  let check: SchemaCheck | undefined;
  return {
    ...handler,
    perform: async (args, context) => {
      check ??= await schemaCheck(spec);
      const problem = await check(args, context);
      if (problem !== undefined) throw wrongArguments(spec.name, problem);
      return await handler.perform(args, context);
    },
  };
}

export function wrongArguments(name: string, problem: string): EffectFailure {
  return refusal('PV4201', `wrong arguments for ${name}: ${problem}`, {
    hint: `see the parameters of the tool ${name}`,
  });
}
