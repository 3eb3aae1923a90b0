/**
 * A request over HTTP as data: where each parameter of a tool goes, and what is sent beside them.
 * OpenAPI documents and one-line tools become this, and one function performs it.
 */
import {
  type EffectClass,
  type JsonSchema,
  type ToolSpec,
  toolSpec,
} from '../../program/effect.ts';
import { type Credential, variablesOf } from './credentials.ts';
import { variablesIn } from './variables.ts';

export interface Operation {
  /** `GET` */
  readonly method: string;
  /** With `{name}` for path fields: `https://api.example.com/pets/{id}`. */
  readonly url: string;
  /** The variable that has the address it begins with, where it begins with `${NAME}`. */
  readonly base?: string;
  readonly fields: readonly Field[];
  readonly body?: Body;
  /** Sent with every request, names in lower case; `${NAME}` is a variable of the environment. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ways to be let in, of which one is enough; an empty one is to ask without a key. */
  readonly credentials: readonly (readonly Credential[])[];
  /**
   * Whether a person has set where it goes, so that it may also be inside. A document of the web
   * does not open the inside by naming a server there.
   */
  readonly configured: boolean;
  /** The header that a service recognises repetitions by, in lower case. */
  readonly keyHeader?: string;
}

export interface Field {
  /** What programs call it. */
  readonly parameter: string;
  /** What it is called on the wire. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly style: Style;
  readonly explode: boolean;
  /** Whether the value is sent as JSON text. */
  readonly json?: true;
  /** Whether what has a meaning in addresses is left as it is. */
  readonly reserved?: true;
}

export type Style =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject';

export interface Body {
  /** `application/json` */
  readonly media: string;
  /** One parameter that is all of it, or one for each member. */
  readonly from:
    | { readonly kind: 'whole'; readonly parameter: string }
    | { readonly kind: 'members'; readonly members: readonly Member[] };
}

export interface Member {
  readonly parameter: string;
  readonly name: string;
  /** Of a multipart body: whether it is a file. */
  readonly file?: true;
}

/** A tool over HTTP: what everybody sees of it, and the request that it is. */
export interface HttpTool {
  readonly spec: ToolSpec;
  readonly operation: Operation;
  /** What messages call who answers. */
  readonly service: string;
}

/** What a method does to the world, where nobody says otherwise (RFC 9110, section 9.2). */
function classOf(method: string): {
  readonly effect: EffectClass;
  readonly idempotent: boolean;
  readonly destructive: boolean;
} {
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  return {
    effect: isRead ? 'read' : 'write',
    idempotent: isRead || method === 'PUT' || method === 'DELETE',
    destructive: method === 'DELETE',
  };
}

export interface SpecDraft {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly parameters: JsonSchema;
  readonly returns?: JsonSchema | undefined;
  /** Whether the service recognises repetitions. */
  readonly keyed?: boolean;
  readonly credentials: Operation['credentials'];
  readonly headers: Operation['headers'];
}

/** Requests of one service at a time: as many as its connections. */
const concurrency = 4;
const timeoutMs = 30_000;

export function specOf(draft: SpecDraft): ToolSpec {
  const { name, description, method, parameters, returns, keyed, credentials, headers } = draft;
  const inHeaders = Object.values(headers).flatMap(variablesIn);
  const keys = [...new Set([...credentials.flat().flatMap(variablesOf), ...inHeaders])];
  const own = classOf(method);
  return toolSpec({
    ...{ name, description, parameters, ...own },
    ...(keyed && { idempotent: true }),
    ...(returns && { returns }),
    ...(keys.length > 0 && { keys }),
    limits: { timeoutMs, concurrency },
  });
}

/**
 * Text of strangers, as people and models are shown it: of one line, bounded, without characters
 * that do something to who reads it.
 */
export function shownText(text: string, charactersMax: number): string {
  const plain = text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > charactersMax ? `${plain.slice(0, charactersMax - 1)}…` : plain;
}

/** Names as programs write them: letters, digits and `_`, no two alike. */
export function parameterName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replace(/\W+/g, '_').replace(/^(?=\d|$)/, '_');
  let name = plain;
  for (let n = 2; taken.has(name); n++) name = `${plain}_${n}`;
  return name;
}
