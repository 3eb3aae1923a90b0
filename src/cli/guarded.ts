/**
 * Tools whose errors hold no secrets: what a library says of a request that failed often quotes the
 * key that was sent, and errors go to the journal, to the person and to the model.
 */
import { EffectFailure, type Handler } from '../engine/handler.ts';

/** Shorter ones are words that any text may hold. */
const charactersMin = 8;

/** The values of variables whose names say that they are secret. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i.test(name) &&
    value.trim().length >= charactersMin
      ? [value.trim()]
      : [],
  );
}

/** The same tool; what is thrown by it has `***` in place of the secrets. */
export function guarded(handler: Handler, secrets: readonly string[]): Handler {
  if (secrets.length === 0) return handler;
  return {
    ...handler,
    async perform(args, context) {
      try {
        return await handler.perform(args, context);
      } catch (thrown) {
        throw thrown instanceof EffectFailure ? clean(thrown, secrets) : thrown;
      }
    },
  };
}

function clean(failure: EffectFailure, secrets: readonly string[]): EffectFailure {
  const without = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  const message = without(failure.message);
  const hint = failure.hint === undefined ? undefined : without(failure.hint);
  if (message === failure.message && hint === failure.hint) return failure;
  const { code, retryable, retryAfterMs, mayHaveActed, answered } = failure;
  return new EffectFailure(code, message, {
    retryable,
    retryAfterMs,
    hint,
    mayHaveActed,
    answered,
  });
}
