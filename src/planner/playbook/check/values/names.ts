/**
 * Which variable a name means. `$x` is of the agent and `x` of the call, as playbooks have it; in
 * replies the dollar marks a reference, so a name means the variable that there is. Where the lines
 * have both, it means the one that its line has; what that leaves open, the dollar decides.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { lastResult } from '../../../../dialects/playbook/compiled/last-result.ts';
import type { LinkedPlaybook } from '../../../../dialects/playbook/compiled/linked.ts';
import { type Rounds, roundsOf } from '../../../../dialects/playbook/compiled/rounds.ts';
import { namedIn, setIn } from '../../../../dialects/playbook/compiled/twofold.ts';
import { nearest } from '../../../../program/diagnostic.ts';
import type { Variable } from '../../parts.ts';
import { isQuotedIn, isValueOf, namedAt, valueAt } from '../../reply/line-value.ts';
import {
  type Expr,
  type Name,
  type Reference,
  refsIn,
  type Scope,
  type Term,
  type TextPart,
  withRefs,
} from '../../reply/term.ts';

/** Thrown where a name means nothing; the message is for the model. */
export class NoValue extends Error {
  override readonly name = 'NoValue';
}

export class Names {
  /** Scopes by name: of variables with a value, of those that lines name, of those they set. */
  readonly #known = new Map<string, Set<Scope>>();
  readonly #declared = new Map<string, Set<Scope>>();
  readonly #written = new Map<string, Set<Scope>>();
  readonly #settable: ReadonlySet<string>;

  /** Items of loops that the machine counts, which it sets where a reply does not. */
  readonly #counted: ReadonlySet<string>;
  /** The loops whose rounds are counted, by their heads. */
  readonly rounds: ReadonlyMap<string, Rounds>;

  readonly #playbook: LinkedPlaybook;
  readonly #unset: ReadonlySet<string>;
  #kept: { readonly name: string; readonly text: string } | undefined;

  /** `unset`: as written, those that somebody was asked for, and nothing was set to the answer. */
  constructor(
    playbook: LinkedPlaybook,
    variables: readonly Variable[],
    unset: readonly string[] = [],
  ) {
    this.#playbook = playbook;
    this.#unset = new Set(unset);
    this.#settable = new Set(setIn(playbook));
    for (const one of namedIn(playbook)) add(this.#declared, variableOf(one));
    for (const { step } of playbook.lines.values()) {
      for (const one of step.writes) add(this.#written, variableOf(one));
    }
    for (const one of variables) add(this.#known, one);
    this.rounds = roundsOf(playbook.lines);
    const items = [...this.rounds.values()].map(({ item }) => item ?? '');
    this.#counted = new Set(items.map((one) => one.replace('$', '')));
  }

  /** The name that a reply sets at a line, with its scope where the lines have two of it. */
  setAt(name: Name, step: Step | undefined): Name {
    const to = this.#composed(name);
    if (to.scope || !this.#isTwofold(to.name)) return to;
    const own = onlyOf(to.name, step?.writes ?? []);
    const [only, other] = this.#written.get(to.name) ?? [];
    const usual = other === undefined ? only : undefined;
    return { ...to, scope: own ?? (to.sign ? 'state' : (usual ?? 'local')) };
  }

  /** What a reply wrote at a line, with the scopes of what it names there. */
  readAt(term: Term, step: Step | undefined): Term {
    return withRefs(term, (ref) => ({ ...ref, to: this.#readAt(ref.to, step) }));
  }

  #readAt(name: Name, step: Step | undefined): Name {
    const to = this.#composed(name);
    if (to.scope || !this.#isTwofold(to.name)) return to;
    const own = onlyOf(to.name, step?.reads ?? []);
    if (own) return { ...to, scope: own };
    const [only, other] = this.#known.get(to.name) ?? [];
    return only && other === undefined ? { ...to, scope: only } : to;
  }

  /** Whether the lines have both `x` and `$x`, and something sets the latter. */
  #isTwofold(name: string): boolean {
    const isThere = this.#settable.has(`$${name}`) || this.#known.get(name)?.has('state') === true;
    return isThere && (this.#declared.get(name)?.size ?? 0) > 1;
  }

  /** The variable that is written to, which is there from now on. */
  write(name: Name): Variable {
    const to = this.#composed(name);
    const variable = { name: to.name, scope: this.#scope(to) };
    add(this.#known, variable);
    return variable;
  }

  /** What is still to be played may set any variable of an agent that the playbook speaks of. */
  expectAll(): void {
    for (const [name, scopes] of this.#declared) {
      if (scopes.has('state')) add(this.#known, { name, scope: 'state' });
    }
  }

  /** As playbooks write the variable that is meant. */
  written(name: Name): string {
    const to = this.#composed(name);
    return this.#scope(to) === 'state' ? `$${to.name}` : to.name;
  }

  /** What the conversation has no more is in a local variable, which is there behind the turn. */
  keep(name: string, text: string): void {
    this.#kept = { name, text };
  }

  /** Whether that is meant, and nothing else of its name. */
  isKept(name: Name): boolean {
    return name.name === this.#kept?.name && !this.find(name);
  }

  /** Whether a variable, as playbooks write it, has a value. */
  has(written: string): boolean {
    const { name, scope } = variableOf(written);
    return this.#known.get(name)?.has(scope) ?? false;
  }

  /** Throws `NoValue`. */
  read(name: Name): Variable {
    const found = this.find(name);
    if (found) return found;
    const near = nearest(name.name, this.#known.keys());
    const hint = near === undefined ? '' : `; did you mean $${near}?`;
    if (name.name === 'startup_message') {
      throw new NoValue('$startup_message has no value: nothing was piped in');
    }
    if (this.#unset.has(this.written(name))) {
      const asked = `${this.written(name)} was asked for`;
      throw new NoValue(`${asked}, and has still to be set to what was answered`);
    }
    const state = this.#declared.has(name.name) ? 'has no value yet' : 'is no variable';
    throw new NoValue(`$${name.name} ${state}${hint}`);
  }

  find(written: Name): Variable | undefined {
    const { name, sign, scope } = this.#composed(written);
    const isCounted = this.#counted.has(name);
    const scopes = this.#known.get(name) ?? (isCounted ? this.#declared.get(name) : undefined);
    if (!scopes) return undefined;
    const wanted = scope ?? this.#meantIn(name) ?? (sign ? 'state' : 'local');
    if (this.#isTwofold(name)) return scopes.has(wanted) ? { name, scope: wanted } : undefined;
    const [only] = scopes;
    return { name, scope: scopes.has(wanted) ? wanted : (only ?? wanted) };
  }

  /** Where the playbook speaks of one variable of that name, nothing else is meant by it. */
  #meantIn(name: string): Scope | undefined {
    const [only, other] = this.#declared.get(name) ?? [];
    return other === undefined ? only : undefined;
  }

  /** `self.state.x` is any variable to Python: where the lines have it in one scope, it is that. */
  #composed(written: Name): Name {
    const name = composed(written);
    const isOfCode = name.scope === 'state' && !name.sign;
    const own = isOfCode ? this.#meantIn(name.name) : undefined;
    return own ? { ...name, scope: own } : name;
  }

  #scope({ name, sign, scope = this.#meantIn(name) }: Name): Scope {
    if (scope) return scope;
    const wanted = sign ? 'state' : 'local';
    if (this.#isTwofold(name)) return wanted;
    const scopes = this.#known.get(name) ?? this.#declared.get(name);
    const [only] = scopes ?? [];
    return scopes?.has(wanted) ? wanted : (only ?? wanted);
  }

  /** The value of a line, which may be written as the line has it. Throws as `resolve` does. */
  computed(written: Term, line?: string): Expr {
    const own = this.#playbook.lines.get(line ?? '')?.step.value === undefined ? undefined : line;
    const isMeant = (step: Step, text: string): boolean =>
      (own === undefined || step.number === own) && isValueOf(step, text);
    const meant = this.meant(valueAt(this.#playbook, written, line), isMeant);
    return this.resolve(this.readAt(meant, this.#playbook.lines.get(line ?? '')?.step));
  }

  /** A text that is the name of a variable to a line of the playbook is that variable. */
  meant(written: Term, isMeant: (step: Step, text: string) => boolean): Term {
    const named = namedAt(this.#playbook, written, isMeant);
    const { name } = named?.to ?? { name: '' };
    return named && (this.#known.has(name) || this.#declared.has(name)) ? named : written;
  }

  /** What is said is a text, also where it could be a sum. Throws as `resolve` does. */
  said(text: Term): Expr {
    return text.is === 'text' ? this.#filled(text.parts) : this.resolve(text);
  }

  /** Throws `NoValue` for a reference that is certainly one and has no value. */
  resolve(term: Term): Expr {
    switch (term.is) {
      case 'value':
        return term;
      case 'ref':
        return this.#reference(term) ?? { is: 'value', value: term.written };
      case 'operation':
        return { ...term, of: term.of.map((one) => this.resolve(one)) };
      case 'list':
        return { is: 'list', items: term.items.map((item) => this.resolve(item)) };
      case 'dict': {
        const items = Object.entries(term.items).map(([key, item]) => [key, this.resolve(item)]);
        return { is: 'dict', items: Object.fromEntries(items) };
      }
      case 'text':
        return this.#text(term);
    }
  }

  #reference({ to, path, written, sure }: Reference): Expr | undefined {
    // Nothing has set it by then: what it will have stands in its place.
    if (this.#kept && path.length === 0 && this.isKept(to)) {
      return { is: 'value', value: this.#kept.text };
    }
    const found = sure ? this.read(to) : this.find(to);
    return found && { is: 'ref', ...found, path: written.endsWith('}') || sure ? path : [] };
  }

  #text(term: Term & { readonly is: 'text' }): Expr {
    const filled = this.#filled(term.parts);
    if (filled.is === 'text' && !isQuotedIn(this.#playbook, term)) refuseSum(filled.parts);
    return filled;
  }

  #filled(parts: readonly TextPart[]): Expr {
    const resolved: (string | Expr)[] = [];
    for (const part of parts) {
      const next = this.#part(part);
      const last = resolved.at(-1);
      if (typeof next === 'string' && typeof last === 'string') {
        resolved[resolved.length - 1] = last + next;
      } else resolved.push(next);
    }
    const [only] = resolved;
    if (only !== undefined && resolved.length === 1) {
      return typeof only === 'string' ? { is: 'value', value: only } : only;
    }
    return { is: 'text', parts: resolved };
  }

  #part(part: TextPart): string | Expr {
    if (typeof part === 'string') return part;
    if (part.is === 'ref') return this.#reference(part) ?? part.written;
    if (part.is === 'unfilled') {
      const want = 'want an expression of variables between braces, or its value';
      throw new NoValue(`${part.written} is not filled in: it ${part.problem}; ${want}`);
    }
    // Where a word is no variable, all of it are words.
    const isThere = refsIn(part.of).every(({ sure, to }) => sure || this.find(to));
    return isThere ? this.resolve(part.of) : part.written;
  }
}

/** The scope that names have which a line has in one scope alone. */
function onlyOf(name: string, written: readonly string[]): Scope | undefined {
  const scopes = written.map(variableOf).flatMap((one) => (one.name === name ? [one.scope] : []));
  const [only, ...others] = new Set(scopes);
  return others.length === 0 ? only : undefined;
}

/** A letter and its marks are one character, however a model writes them. */
const composed = (name: Name): Name => ({ ...name, name: name.name.normalize('NFC') });

/** `$n + 1` or `$n.upper()` in quotes would be a text, which nobody computes. */
function refuseSum(parts: readonly (string | Expr)[]): void {
  const text = parts.map((part) => (typeof part === 'string' ? part : '0')).join('');
  const isSum =
    typeof parts[0] !== 'string' &&
    /^0(?:(?:\s*[-+*/%]\s*[\d.]+)+|\.\p{XIDS}\p{XIDC}*\(.*\))$/u.test(text);
  if (isSum) throw new NoValue('an expression is not computed: write its value');
}

/** A variable as playbooks write it. */
export function variableOf(written: string): Variable {
  if (written === lastResult) return { name: '_', scope: 'local' };
  const isState = written.startsWith('$');
  return { name: isState ? written.slice(1) : written, scope: isState ? 'state' : 'local' };
}

function add(map: Map<string, Set<Scope>>, { name, scope }: Variable): void {
  const scopes = map.get(name) ?? new Set();
  map.set(name, scopes.add(scope));
}
