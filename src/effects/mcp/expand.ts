/** `${VAR}` and `${VAR:-default}` in the configuration of a server. Pure. */
import { refusal } from '../../engine/handler.ts';
import type { Environment } from '../tool-set.ts';

const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** `where` names the place for messages. Throws `EffectFailure` PV4802. */
export function expand(text: string, env: Environment, where: string): string {
  return text.replace(reference, (_, name: string, fallback: string | undefined) => {
    const value = env[name] || fallback;
    if (value !== undefined) return value;
    throw refusal('PV4802', `${where}: the variable ${name} is not set`, {
      hint: `set ${name} in the environment or in .env, or write \${${name}:-default}`,
    });
  });
}

export const expandAll = (
  texts: Readonly<Record<string, string>>,
  env: Environment,
  where: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expand(text, env, `${where}.${name}`)]),
  );

/** Whether a text says nothing by itself: all of it is looked up. */
export const isReference = (text: string): boolean => text.replace(reference, '').trim() === '';
