/**
 * Secrets stay out of programs. What a tool gives back (results, parts, errors, warnings, progress)
 * has `***` in place of every known secret before the engine sees it, so before it is journaled and
 * before the program has it: a replay meets the same text. What never enters a program cannot leave
 * it in arguments, prompts, answers or variables.
 */
import {
  AnswerNeeded,
  type AttemptContext,
  attemptWith,
  EffectFailure,
  type Handler,
  type Question,
} from '../engine/handler.ts';
import { thrownText } from '../program/diagnostic.ts';
import { GuestValue, isPlain } from '../program/json.ts';
import { bytes, dict, dictEntries, list, tuple, type Value } from '../program/value.ts';
import {
  type SecretForm,
  SecretParts,
  secretCharactersMin,
  secretForms,
  secretTexts,
  withoutCutSecrets,
} from './secret-parts.ts';

/** A text without its secrets; the very same text where it has none. */
export type Redactor = (text: string) => string;

export interface RedactionRules {
  /** Names of further variables whose values are secret; `*` stands for any text. */
  readonly variables?: readonly string[];
  /** Regular expressions; what they match is secret. */
  readonly patterns?: readonly string[];
  /** Names of variables whose values are not secret although they look so; `*` as above. */
  readonly keep?: readonly string[];
}

export interface Redaction {
  readonly redact: Redactor;
  /** The same for an error, which may hold the beginning of a secret where a text was cut. */
  readonly redactCut: Redactor;
  /** Whether there is anything to look for. */
  readonly active: boolean;
  /** Secrets as texts write them most often, the longest first. */
  readonly texts: readonly string[];
  /** The variable, or pattern, that a text holds a secret of. */
  sourceIn(text: string): string | undefined;
}

const mark = '***';

const namesOfSecrets = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/**
 * The secrets of an environment: values of variables whose names say so, and of those that the
 * rules add. Throws `SyntaxError` for a pattern that is no regular expression.
 */
export function redactionOf(
  env: Readonly<Record<string, string | undefined>>,
  { variables = [], patterns = [], keep = [] }: RedactionRules = {},
): Redaction {
  const added = variables.map(namePattern);
  const kept = keep.map(namePattern);
  const fits = (name: string, names: readonly RegExp[]): boolean =>
    names.some((one) => one.test(name));
  const secrets = new Set<string>();
  const byPattern = new Map<string, SecretForm & { readonly name: string }>();
  for (const [name, given = ''] of Object.entries(env)) {
    const value = given.trim();
    if (fits(name, kept)) continue;
    const named = fits(name, added);
    // Shorter values are words that any text may hold, and so are those of letters of one case.
    const isSecret = named ? value.length >= secretCharactersMin : isSecretName(name, value);
    const secret = isSecret ? value : passwordIn(value);
    if (secret === '') continue;
    secrets.add(secret);
    for (const form of secretForms(secret)) byPattern.set(form.pattern.source, { ...form, name });
  }
  // Longer ones first: one may hold another.
  const forms = [...byPattern.values()].sort((a, b) => b.text.length - a.text.length);
  const texts = [...new Set([...secrets].flatMap(secretTexts))].sort((a, b) => b.length - a.length);
  const expressions = patterns.map((pattern) => new RegExp(pattern, 'g'));
  const active = forms.length > 0 || expressions.length > 0;
  const redact = (text: string): string => {
    let clean = text;
    for (const { clue, pattern } of forms) {
      if (clean.includes(clue)) clean = clean.replace(pattern, mark);
    }
    for (const expression of expressions) clean = clean.replace(expression, mark);
    return clean;
  };
  return {
    active,
    texts,
    redact,
    redactCut: (text) => texts.reduce(withoutBeginning, redact(text)),
    sourceIn(text) {
      const form = forms.find(({ clue, pattern }) => {
        return text.includes(clue) && text.search(pattern) >= 0;
      });
      if (form) return form.name;
      const found = expressions.findIndex((expression) => text.search(expression) >= 0);
      return found < 0 ? undefined : `the pattern ${patterns[found]}`;
    },
  };
}

/** Shorter beginnings of secrets are words, or what all keys of a service begin with. */
const beginningMin = 12;

function withoutBeginning(text: string, secret: string): string {
  const least = Math.max(beginningMin, Math.ceil(secret.length / 2));
  if (secret.length <= least) return text;
  const beginning = secret.slice(0, least);
  let clean = text;
  for (let at = clean.indexOf(beginning); at >= 0; at = clean.indexOf(beginning, at)) {
    let end = at + least;
    while (end < clean.length && clean[end] === secret[end - at]) end++;
    clean = clean.slice(0, at) + mark + clean.slice(end);
  }
  return clean;
}

/** Of an address with a login, `smtps://ada:password@mail.example.org`, the password. */
function passwordIn(value: string): string {
  const [, password = ''] = /^[a-z][a-z\d+.-]*:\/\/[^/?#@:]*:([^/?#]*)@/i.exec(value) ?? [];
  return password.length >= secretCharactersMin ? password : '';
}

const isSecretName = (name: string, value: string): boolean =>
  namesOfSecrets.test(name) && value.length >= secretCharactersMin && kindsOfCharacters(value) > 1;

function kindsOfCharacters(text: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(text)).length;
}

function namePattern(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i');
}

/**
 * The same tool; nothing that comes from it holds a secret, nor does what it says of itself: its
 * declaration goes into prompts and journals, and may be a stranger's.
 */
export function guarded(handler: Handler, redaction: Redaction): Handler {
  const { active, redact, redactCut, texts } = redaction;
  if (!active) return handler;
  return {
    ...handler,
    spec: redacted(handler.spec, redact),
    async perform(args, context) {
      const parts = new SecretParts(texts, (part) => context.part(part));
      try {
        const result = await handler.perform(args, listening(context, redact, parts));
        const clean = redacted(result, redact);
        return Array.isArray(clean) ? withoutCutSecrets(clean, texts) : clean;
      } catch (thrown) {
        throw cleanThrown(thrown, redactCut);
      } finally {
        parts.end();
      }
    },
  };
}

/** The same attempt, which hears no secrets. */
const listening = (context: AttemptContext, redact: Redactor, parts: SecretParts): AttemptContext =>
  attemptWith(context, {
    progress: (text) => context.progress(redact(text)),
    part: (value) => parts.add(redacted(value, redact)),
    warn: (message) => context.warn(redact(message)),
    ...(context.ask && {
      ask: async (question) => await context.ask?.(cleanQuestion(question, redact)),
    }),
    source: ({ url, title, ...rest }) => {
      const named = title === undefined ? {} : { title: redact(title) };
      context.source({ ...rest, ...named, url: redact(url) });
    },
  });

/** Data without secrets, also in keys; the very same data where it has none. */
export function redacted<Data>(data: Data, redact: Redactor): Data;
export function redacted(data: unknown, redact: Redactor): unknown {
  if (typeof data === 'string') return redact(data);
  if (Array.isArray(data)) {
    const items = data.map((item) => redacted(item, redact));
    return items.some((item, i) => item !== data[i]) ? items : data;
  }
  if (data instanceof Uint8Array) return bytesWithout(data, redact);
  if (data instanceof GuestValue) return new GuestValue(valueWithout(data.value, redact));
  // A URL, a date: the engine takes what the method gives, which may differ the next time.
  if (hasJson(data)) return redacted(data.toJSON(), redact);
  if (typeof data !== 'object' || data === null || !isPlain(data)) return data;
  const entries = Object.entries(data);
  const clean = entries.map(([key, value]): [string, unknown] => [
    redact(key),
    redacted(value, redact),
  ]);
  const changed = clean.some(
    ([key, value], i) => key !== entries[i]?.[0] || value !== entries[i]?.[1],
  );
  return changed ? Object.fromEntries(clean) : data;
}

/** What tools hand over as values: data with numbers that no number of the host holds. */
function valueWithout(value: Value, redact: Redactor): Value {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  const inner = (item: Value): Value => valueWithout(item, redact);
  switch (value.kind) {
    case 'list':
      return list(value.items.map(inner));
    case 'tuple':
      return tuple(value.items.map(inner));
    case 'dict':
      return dict([...dictEntries(value)].map(([key, item]) => [inner(key), inner(item)]));
    case 'bytes':
      return bytes(bytesWithout(value.bytes, redact));
    default:
      return value;
  }
}

/** Bytes as texts of one byte a character, then as UTF-8; the very same where they have none. */
function bytesWithout(data: Uint8Array, redact: Redactor): Uint8Array {
  for (const encoding of ['latin1', 'utf8'] as const) {
    const text = Buffer.from(data).toString(encoding);
    const clean = redact(text);
    if (clean !== text) return new Uint8Array(Buffer.from(clean, encoding));
  }
  return data;
}

const hasJson = (data: unknown): data is { toJSON(): unknown } =>
  typeof data === 'object' &&
  data !== null &&
  'toJSON' in data &&
  typeof data.toJSON === 'function';

/** Without secrets in what people read of it; the same text again where it is asked again. */
const cleanQuestion = (question: Question, redact: Redactor): Question => ({
  ...question,
  text: redact(question.text),
  ...(question.approval && { approval: redacted(question.approval, redact) }),
});

function cleanThrown(thrown: unknown, redact: Redactor): unknown {
  if (thrown instanceof AnswerNeeded)
    return new AnswerNeeded(cleanQuestion(thrown.question, redact));
  if (thrown instanceof EffectFailure) return cleanFailure(thrown, redact);
  if (!(thrown instanceof Error)) {
    const text = thrownText(thrown);
    return redact(text) === text ? thrown : redact(text);
  }
  const { name, message } = thrown;
  if (redact(message) === message && redact(name) === name) return thrown;
  const clean = new Error(redact(message));
  clean.name = redact(name);
  return clean;
}

function cleanFailure(failure: EffectFailure, redact: Redactor): EffectFailure {
  const message = redact(failure.message);
  const hint = failure.hint === undefined ? undefined : redact(failure.hint);
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
