/**
 * What arguments and answers of a run may be made from: the analysis of its program (origins.ts)
 * brought together with what its journal says was performed. Pure.
 *
 * - V1 Conservative, as the analysis is: an outcome that is in a value is among what is said of it.
 *   Where several calls could be meant, all of them are.
 * - V2 Only what has been performed is said, so what nobody has called taints nothing.
 */

import {
  globalOrigins,
  type Origin,
  type OriginSite,
  type Origins,
  type Outcomes,
  originsOf,
} from '../../analysis/origins.ts';
import type { Request, Source, ToolSpec } from '../../program/effect.ts';
import { decode } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import { dictEntries, isDict } from '../../program/value.ts';
import type { Past, PastEffect } from '../past/past.ts';

/** An effect that has an outcome. */
export interface Performed {
  readonly id: string;
  readonly effect: PastEffect;
}

/** What one argument may be made from. */
export interface ArgumentOrigin {
  /** Empty for the choice of the tool. */
  readonly name: string;
  /**
   * `made`: outcomes that may be in it. `chosen`: those that may have decided which of several
   * values it is. `own`: clocks and chance, which say nothing but are no constants either.
   */
  readonly how: 'made' | 'chosen' | 'own';
  /** In the order in which they began; never empty. */
  readonly from: readonly Performed[];
}

export interface Provenance {
  /** Those for each argument that is not the program's, an input's or a person's alone. */
  behind(request: Request): readonly ArgumentOrigin[];
  /** Everything that was performed for an answer of this step, and for what that was made of. */
  behindAnswer(step: string): readonly Performed[];
  /** What an outcome is made of: the sources of the effect, and of those its arguments are from. */
  sourcesOf(one: Performed): readonly Source[];
  /** All that is untrusted, in the order in which it began. */
  readonly untrusted: readonly Performed[];
  /** Inputs out of earlier runs that the program has. */
  readonly given: readonly string[];
  /** Arguments that cannot be trusted, whatever has been performed; empty for the choice. */
  doubted(request: Request): readonly string[];
}

export interface ProvenanceParts {
  readonly program: Program;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Asked for when it is needed: the journal has grown since. */
  readonly past: () => Pick<Past, 'effects'>;
  /** Inputs, by name, that hold what came of earlier runs. */
  readonly earlier?: readonly string[];
}

/** Programs never change, and one has one set of tools; what is not asked about is not analysed. */
const known = new WeakMap<Program, Map<string, Origins>>();

/** Whether the arguments of a call come from the program, its inputs and people alone. */
export function isFromProgram(parts: ProvenanceParts, request: Request): boolean {
  const { specs } = parts;
  const origins = originsIn(parts);
  const isConstant = trustIn(origins, specs, isGiven);
  return argumentOrigins(origins, request).every(({ origin }) => isConstant(origin));
}

/** Global variables that hold nothing but what the program says and people have given. */
export function trustedGlobals({
  program,
  specs,
  earlier = [],
}: Omit<ProvenanceParts, 'past'>): ReadonlySet<string> {
  const found = globalOrigins(program, specs, new Set(earlier));
  if (!found) return new Set();
  const isConstant = trustIn(found.origins, specs, isGiven);
  return new Set([...found.globals].flatMap(([name, of]) => (isConstant(of) ? [name] : [])));
}

export function provenanceOf(parts: ProvenanceParts): Provenance {
  const { specs } = parts;
  const origins = originsIn(parts);
  const trust = trustIn(origins, specs, isOwn);
  const past = parts.past();
  const performed = [...past.effects]
    .filter(([, { outcome }]) => outcome !== undefined)
    .map(([id, effect]): Performed => ({ id, effect }));
  const sitesOf = memo(({ effect }: Performed) => sitesOfEffect(origins, effect));
  const untrusted = performed.filter((one) => !isTrusted(one, sitesOf(one), specs, trust));
  const own = performed.filter(({ effect }) => specs.get(effect.tool)?.kind === 'clock');
  const within = (origin: Outcomes, of: readonly Performed[]): readonly Performed[] => {
    if (origin.anything || !origins.complete) return of;
    const wanted = new Set(origin.sites.map((i) => origins.sites[i]));
    return of.filter((one) => mayBeAt(wanted, sitesOf(one), specs.get(one.effect.tool)));
  };
  const behind = (start: readonly Performed[]): readonly Performed[] => {
    const found = new Set(start);
    for (const one of found) {
      for (const origin of sitesOf(one).flatMap(originsAt)) {
        for (const other of within(origin, performed)) found.add(other);
      }
    }
    return performed.filter((one) => found.has(one));
  };
  return {
    untrusted,
    given: givenIn(parts),
    doubted: (request) =>
      argumentOrigins(origins, request).flatMap(({ name, origin }) =>
        trust(origin) ? [] : [name],
      ),
    behind: (request) =>
      argumentOrigins(origins, request).flatMap(({ name, origin }): readonly ArgumentOrigin[] => {
        const made = { name, how: 'made', from: within(origin, untrusted) } as const;
        const chosen = { name, how: 'chosen', from: within(origin.chosen, untrusted) } as const;
        const ours = { name, how: 'own', from: within(origin, own) } as const;
        const [first] = [...(trust(origin) ? [] : [made, chosen]), ours].filter(
          ({ from }) => from.length > 0,
        );
        return first ? [first] : [];
      }),
    behindAnswer(step) {
      const places = origins.answers.filter(({ steps }) => isIn(steps, step));
      const from = places.flatMap((place) => within(place.from, performed));
      return behind(origins.complete && places.length > 0 ? from : performed);
    },
    sourcesOf: (one) => sourcesIn(behind([one])),
  };
}

/** Each address once, as it was named last. */
const sourcesIn = (effects: readonly Performed[]): readonly Source[] => [
  ...new Map(
    effects.flatMap(({ effect }) => (effect.sources ?? []).map((one) => [one.url, one] as const)),
  ).values(),
];

function originsIn(parts: ProvenanceParts): Origins {
  const { program, specs } = parts;
  const all = known.get(program) ?? new Map<string, Origins>();
  known.set(program, all);
  const given = givenIn(parts);
  const key = given.join();
  const found = all.get(key) ?? originsOf(program, specs, new Set(given));
  all.set(key, found);
  return found;
}

const givenIn = ({ program, earlier = [] }: ProvenanceParts): readonly string[] =>
  program.globals.filter((name) => earlier.includes(name));

const all: Outcomes = { sites: [], anything: true };
const none: Outcomes = { sites: [], anything: false };
const everything: Origin = { ...all, chosen: none };
const originsAt = ({ args, others }: OriginSite): readonly Origin[] => [...args.values(), others];

/** What people say, and what comes of clocks and of chance: no stranger has a word in it. */
const isOwn = ({ kind }: ToolSpec): boolean => kind === 'person' || kind === 'clock';

/** What a person has given, as inputs are. */
const isGiven = ({ kind }: ToolSpec): boolean => kind === 'person';

/**
 * Whether what has this origin can be trusted. Untrusted are outcomes of tools and models; but not
 * those of tools that `given` says so of, nor what a pure tool makes of trusted arguments.
 */
function trustIn(
  origins: Origins,
  specs: ReadonlyMap<string, ToolSpec>,
  given: (spec: ToolSpec) => boolean,
): (origin: Origin) => boolean {
  const { sites } = origins;
  const doubted = new Set<number>();
  const trustAll = ({ anything, sites: of }: Outcomes): boolean =>
    !anything && !of.some((i) => doubted.has(i));
  const trust = (origin: Origin): boolean => trustAll(origin) && trustAll(origin.chosen);
  const mayDoubt = (site: OriginSite): boolean => {
    const spec = site.tool === undefined ? undefined : specs.get(site.tool);
    if (!spec) return true;
    const isFree = given(spec);
    if (isFree && !site.tries) return false;
    return (!isFree && spec.effect !== 'pure') || !originsAt(site).every(trust);
  };
  for (let size = -1; size !== doubted.size; ) {
    size = doubted.size;
    for (const [i, site] of sites.entries()) if (mayDoubt(site)) doubted.add(i);
  }
  return origins.complete ? trust : () => false;
}

/** By tool and step, which is what the journal has of it; several where it could be any of them. */
const sitesOfEffect = ({ sites }: Origins, { tool, step }: PastEffect): readonly OriginSite[] =>
  sites.filter((site) => (site.tool ?? tool) === tool && isIn(site.steps, step));

/** `4@2` is a visit of the step `4`. */
function isIn(steps: ReadonlySet<string> | undefined, step: string): boolean {
  const at = step.lastIndexOf('@');
  return steps === undefined || steps.has(at < 0 ? step : step.slice(0, at));
}

/** Of an effect of which the code says nothing, such as one that a tool comes after. */
function isTrusted(
  { effect }: Performed,
  sites: readonly OriginSite[],
  specs: ReadonlyMap<string, ToolSpec>,
  trust: (origin: Origin) => boolean,
): boolean {
  const spec = specs.get(effect.tool);
  const isOurs = spec !== undefined && isOwn(spec);
  if (isOurs && effect.outcome?.ok) return true;
  const isMade = isOurs || spec?.effect === 'pure';
  return isMade && sites.length > 0 && sites.flatMap(originsAt).every(trust);
}

function mayBeAt(
  wanted: ReadonlySet<OriginSite | undefined>,
  sites: readonly OriginSite[],
  spec: ToolSpec | undefined,
): boolean {
  if (sites.length > 0) return sites.some((site) => wanted.has(site));
  // No code asks for it: a person was asked for an argument, or it had to be called first, and
  // then nobody has what it gave.
  return spec === undefined || spec.kind === 'person';
}

interface NamedOrigin {
  readonly name: string;
  readonly origin: Origin;
}

function argumentOrigins(origins: Origins, { tool, site, args }: Request): readonly NamedOrigin[] {
  const given = decode(args);
  const names = isDict(given) ? [...dictEntries(given)].map(([name]) => String(name)) : [];
  const places = origins.sites.filter(
    (one) => (one.tool ?? tool) === tool && one.line === site.line && one.column === site.column,
  );
  if (!origins.complete) return ['', ...names].map((name) => ({ name, origin: everything }));
  // What no code calls was called first for another tool, which nobody but its declaration decides.
  if (places.length === 0) return names.map((name) => ({ name, origin: everything }));
  const choice = names.length > 0 ? [] : places.map((one) => ({ name: '', origin: one.others }));
  return [
    ...choice,
    ...names.map((name) => ({
      name,
      origin: either(places.flatMap((one) => [one.args.get(name) ?? nothing, one.others])),
    })),
  ];
}

const nothing: Origin = { ...none, chosen: none };

const either = (origins: readonly Origin[]): Origin => ({
  ...eitherOf(origins),
  chosen: eitherOf(origins.map(({ chosen }) => chosen)),
});

const eitherOf = (outcomes: readonly Outcomes[]): Outcomes => ({
  sites: [...new Set(outcomes.flatMap(({ sites }) => sites))],
  anything: outcomes.some(({ anything }) => anything),
});

function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
