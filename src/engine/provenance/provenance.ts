/**
 * What arguments and answers of a run may be made from: the analysis of its program (origins.ts)
 * brought together with what its journal says was performed. Pure.
 *
 * - V1 Conservative, as the analysis is: an outcome that is in a value is among what is said of it.
 *   Where several calls could be meant, all of them are.
 * - V2 Only what has been performed is said, so what nobody has called taints nothing.
 */
import type { Request, Source, ToolSpec } from '../../program/effect.ts';
import { decode } from '../../program/json.ts';
import { type Origin, type OriginSite, type Origins, originsOf } from '../../program/origins.ts';
import type { Program } from '../../program/program.ts';
import { dictEntries } from '../../program/value.ts';
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
  /** Untrusted ones, in the order in which they began; empty where there are none. */
  readonly from: readonly Performed[];
}

export interface Provenance {
  /** One for each argument that something untrusted may be in. */
  untrustedIn(request: Request): readonly ArgumentOrigin[];
  /** Everything that was performed for an answer of this step, and for what that was made of. */
  behindAnswer(step: string): readonly Performed[];
  /** What an outcome is made of: the sources of the effect, and of those its arguments are from. */
  sourcesOf(one: Performed): readonly Source[];
  /** All that is untrusted, in the order in which it began. */
  readonly untrusted: readonly Performed[];
}

export interface ProvenanceParts {
  readonly program: Program;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Asked for when it is needed: the journal has grown since. */
  readonly past: () => Pick<Past, 'effects'>;
}

/** Programs never change, and one has one set of tools; what is not asked about is not analysed. */
const known = new WeakMap<Program, Origins>();

/** Whether the arguments of a call come from the program, its inputs and people alone. */
export function isFromProgram({ program, specs }: ProvenanceParts, request: Request): boolean {
  const origins = originsIn(program, specs);
  const trust = trustIn(origins, specs);
  return argumentOrigins(origins, request).every(({ origin }) => trust(origin));
}

export function provenanceOf(parts: ProvenanceParts): Provenance {
  const { program, specs } = parts;
  const origins = originsIn(program, specs);
  const trust = trustIn(origins, specs);
  const past = parts.past();
  const performed = [...past.effects]
    .filter(([, { outcome }]) => outcome !== undefined)
    .map(([id, effect]): Performed => ({ id, effect }));
  const sitesOf = memo(({ effect }: Performed) => sitesOfEffect(origins, effect));
  const untrusted = performed.filter((one) => !isTrusted(one, sitesOf(one), specs, trust));
  const within = (origin: Origin, of: readonly Performed[]): readonly Performed[] => {
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
    untrustedIn: (request) =>
      argumentOrigins(origins, request).flatMap(({ name, origin }) => {
        const from = trust(origin) ? [] : within(origin, untrusted);
        return from.length > 0 ? [{ name, from }] : [];
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
export const sourcesIn = (effects: readonly Performed[]): readonly Source[] => [
  ...new Map(
    effects.flatMap(({ effect }) => (effect.sources ?? []).map((one) => [one.url, one] as const)),
  ).values(),
];

function originsIn(program: Program, specs: ReadonlyMap<string, ToolSpec>): Origins {
  const found = known.get(program) ?? originsOf(program, specs);
  known.set(program, found);
  return found;
}

const everything: Origin = { sites: [], anything: true };
const originsAt = ({ args, others }: OriginSite): readonly Origin[] => [...args.values(), others];

/**
 * Whether what has this origin can be trusted. Untrusted are outcomes of tools and models; but not
 * those of people and clocks, nor what a pure tool makes of trusted arguments.
 */
function trustIn(
  origins: Origins,
  specs: ReadonlyMap<string, ToolSpec>,
): (origin: Origin) => boolean {
  const { sites } = origins;
  const doubted = new Set<number>();
  const trust = ({ anything, sites: of }: Origin): boolean =>
    !anything && !of.some((i) => doubted.has(i));
  const mayDoubt = (site: OriginSite): boolean => {
    const spec = site.tool === undefined ? undefined : specs.get(site.tool);
    if (!spec) return true;
    const isOwn = spec.kind === 'person' || spec.kind === 'clock';
    if (isOwn && !site.tries) return false;
    return (!isOwn && spec.effect !== 'pure') || !originsAt(site).every(trust);
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
  const isOwn = spec?.kind === 'person' || spec?.kind === 'clock';
  if (isOwn && effect.outcome?.ok) return true;
  const isMade = isOwn || spec?.effect === 'pure';
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
  const isDict = typeof given === 'object' && given !== null && given.kind === 'dict';
  const names = isDict ? [...dictEntries(given)].map(([name]) => String(name)) : [];
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

const nothing: Origin = { sites: [], anything: false };

const either = (all: readonly Origin[]): Origin => ({
  sites: [...new Set(all.flatMap(({ sites }) => sites))],
  anything: all.some(({ anything }) => anything),
});

function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
