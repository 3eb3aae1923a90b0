/**
 * How a document says that callers are let in, as references to variables of the environment. A
 * variable is named by who configures it, else after the interface and the scheme: for `api_key` of
 * `petstore`, `PETSTORE_API_KEY`. Such names say that what they hold is secret.
 */
import type { Credential } from '../credentials.ts';
import { type Document, isObject, type JsonObject, resolved } from './document.ts';

/** What a configuration says of a scheme, by its name in the document. */
export interface AuthRule {
  /** The variable that has the key or the token, or `user:password`. */
  readonly env?: string;
  readonly username?: string;
  readonly password?: string;
}

export type AuthRules = Readonly<Record<string, AuthRule>>;

/**
 * The ways in that an operation names; none where it names none. Schemes of several steps (OAuth,
 * `openIdConnect`) take a token out of a variable.
 */
export function waysOf(
  document: Document,
  operation: JsonObject,
  name: string,
  rules: AuthRules,
): Credential[][] {
  const security = operation.security ?? document.root.security;
  if (!Array.isArray(security)) return [];
  const ways = security.filter(isObject).map((way) =>
    Object.keys(way).flatMap((scheme) => {
      const found = schemeOf(document, scheme);
      return found ? credentialOf(scheme, found, { name, rule: rules[scheme] ?? {} }) : [];
    }),
  );
  // Asking without a key is the last resort: what is there with one may be more.
  return ways.toSorted((a, b) => Number(a.length === 0) - Number(b.length === 0));
}

function schemeOf(document: Document, scheme: string): JsonObject | undefined {
  const { components } = document.root;
  const schemes = isObject(components) ? components.securitySchemes : undefined;
  const value = isObject(schemes) ? schemes[scheme] : undefined;
  if (value === undefined) return undefined;
  const found = resolved(document, { value, at: document.at }).value;
  return isObject(found) ? found : undefined;
}

interface Naming {
  readonly name: string;
  readonly rule: AuthRule;
}

function credentialOf(scheme: string, found: JsonObject, naming: Naming): Credential[] {
  const { name, rule } = naming;
  const variable = rule.env ?? secretFor(found, name, scheme);
  const bearer: Credential = {
    kind: 'header',
    name: 'authorization',
    prefix: 'Bearer ',
    variable,
  };
  switch (found.type) {
    case 'apiKey': {
      const { in: place, name: key } = found;
      if (typeof key !== 'string') return [];
      return place === 'header' || place === 'query' || place === 'cookie'
        ? [{ kind: place, name: key, variable }]
        : [];
    }
    case 'http': {
      const given = String(found.scheme).toLowerCase();
      if (given === 'basic') {
        const { username = variable, password } = rule;
        const own = password === undefined ? {} : { passwordVariable: password };
        return [{ kind: 'basic', variable: username, ...own }];
      }
      return given === 'bearer' ? [bearer] : [{ ...bearer, prefix: `${String(found.scheme)} ` }];
    }
    default:
      return [bearer];
  }
}

/** With an end by which everybody knows a secret (`effects/redaction.ts`). */
function secretFor({ type, scheme: kind }: JsonObject, name: string, scheme: string): string {
  const variable = variableFor(name, scheme);
  if (/(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/.test(variable)) return variable;
  const isBasic = type === 'http' && String(kind).toLowerCase() === 'basic';
  return `${variable}_${type === 'apiKey' ? 'KEY' : isBasic ? 'CREDENTIALS' : 'TOKEN'}`;
}

/** `PETSTORE_API_KEY` */
export function variableFor(...names: readonly string[]): string {
  const words = names.flatMap((name) => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').split(/\W+/));
  return words.filter(Boolean).join('_').toUpperCase();
}
