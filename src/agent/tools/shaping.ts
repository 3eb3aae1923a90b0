/**
 * What settings make of tools, whichever way these came: the class that a person knows better, what
 * is pinned and limited, and which of them a run may call at all. Runs and checks go by the same.
 */

import { type Pins, pinnedSpec } from '../../effects/tool/pinned.ts';
import type { Warning } from '../../engine/result.ts';
import { classAmong, delegateName } from '../../planner/delegate-specs.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { ToolLimits } from '../../program/limits.ts';
import { findTool, isMeant, leaveOut, parameterName, toolHint } from '../../program/tool-names.ts';
import type { AgentCode } from '../port/codes.ts';
import { AgentError } from '../port/errors.ts';
import type { AgentSettings, ToolOverride } from '../port/settings.ts';
import type { Origins } from '../port/workspace.ts';

export interface Shaping {
  /** The declaration as a run has it. */
  spec(spec: ToolSpec): ToolSpec;
  /** What is pinned of a tool. */
  pins(spec: ToolSpec): Pins | undefined;
  /** Whether a run may call it. */
  allows(spec: ToolSpec): boolean;
  /** Whether it does what the tools beside it do, which are all known. */
  followsOthers(spec: ToolSpec): boolean;
}

type Specs = ReadonlyMap<string, ToolSpec>;

export interface ShapingOptions {
  readonly settings: AgentSettings;
  readonly origins: Origins;
  /** All tools that there are, by name. */
  readonly specs: Specs;
  /** Those that planvm itself has, which `allow` need not name. */
  readonly builtIn: ReadonlySet<string>;
  /** Namespaces of which nobody may know the tools today: a server that is away. */
  readonly namespaces?: readonly string[];
  /** Whether there may be others: then a name that is none is left alone. */
  readonly open?: boolean;
}

/** Throws `AgentError` PV6026 and PV6501 to PV6503 for names that mean no tool or parameter. */
export function shapingOf(options: ShapingOptions): Shaping {
  const { settings, origins, specs, builtIn, open = false } = options;
  const { allow, deny, pins, toolOverrides, toolLimits } = settings;
  const listed = (name: 'allow' | 'deny'): Named[] => namesIn(options, name);
  if (!open) {
    refuseUnknown('PV6501', options, [...listed('allow'), ...listed('deny')]);
    refuseUnknown('PV6502', options, keysOf(options, 'pins'));
    refuseUnknown('PV6503', options, keysOf(options, 'toolOverrides'));
    refuseUnknown('PV6026', options, keysOf(options, 'toolLimits'));
  }
  const allowed = allow && listed('allow').map(({ name }) => name);
  const denied = deny ? listed('deny').map(({ name }) => name) : [];
  const means = (pattern: string, spec: ToolSpec): boolean =>
    isMeant(pattern, spec) || findTool(specs, pattern)?.name === spec.name;
  const merged = <T extends object>(given: Readonly<Record<string, T>> = {}) => {
    const entries = Object.entries(given);
    return (spec: ToolSpec): T | undefined => {
      const own = entries.filter(([pattern]) => means(pattern, spec));
      if (own.length === 0) return undefined;
      // A name says more than a pattern.
      const isPattern = ([pattern]: [string, T]): number => Number(!pattern.includes('*'));
      const sorted = own.toSorted((a, b) => isPattern(a) - isPattern(b));
      return Object.assign({}, ...sorted.map(([, value]) => value));
    };
  };
  const overridesOf = merged(toolOverrides);
  const limitsOf = merged<ToolLimits>(toolLimits);
  const writtenPinsOf = merged<Pins>(pins);
  const pinsOf = (spec: ToolSpec): Pins | undefined => {
    const own = Object.entries(writtenPinsOf(spec) ?? {});
    const named = own.map(([name, pin]) => [parameterName(spec.parameters, name), pin] as const);
    return own.length === 0 ? undefined : Object.fromEntries(named);
  };
  return {
    spec(given) {
      const override = overridesOf(given);
      const limits = limitsOf(given);
      const own = pinsOf(given);
      if (own) refuseUnknownPins(given, own, origins.pins ?? '');
      const spec = override ? overridden(given, override) : given;
      const free = own ? pinnedSpec(spec, own) : spec;
      return limits ? { ...free, limits: { ...free.limits, ...limits } } : free;
    },
    pins: pinsOf,
    allows: (spec) =>
      !denied.some((pattern) => means(pattern, spec)) &&
      (!allowed || builtIn.has(spec.name) || allowed.some((pattern) => means(pattern, spec))),
    followsOthers: ({ name }) => name === delegateName && builtIn.has(name) && !open,
  };
}

/**
 * The declarations as a run has them; those that it may not call are left out, and noted with those
 * that are `denied` already.
 */
export function shaped(specs: Specs, shaping: Shaping, denied: readonly ToolSpec[] = []): Specs {
  const kept = new Map<string, ToolSpec>();
  const others = new Map(denied.map((spec) => [spec.name, spec]));
  for (const [name, spec] of specs) (shaping.allows(spec) ? kept : others).set(name, spec);
  leaveOutFollowers(kept, others);
  const shape = (spec: ToolSpec): ToolSpec =>
    shaping.spec(others.size > 0 ? among(kept, spec) : spec);
  const made = new Map([...kept].map(([name, spec]) => [name, shape(spec)]));
  for (const [name, spec] of kept) {
    if (!shaping.followsOthers(spec)) continue;
    made.set(name, shape({ ...spec, effect: classAmong(made.values()) }));
  }
  leaveOut(made, others);
  return made;
}

/** A tool that has to come after one which may not be called can never be called itself. */
function leaveOutFollowers(kept: Map<string, ToolSpec>, others: Map<string, ToolSpec>): void {
  for (let size = -1; size !== others.size; ) {
    size = others.size;
    for (const [name, spec] of kept) {
      const first = firstWithout(spec, others);
      if (first === undefined || kept.has(first)) continue;
      kept.delete(name);
      others.set(name, spec);
    }
  }
}

const firstWithout = ({ after = [] }: ToolSpec, others: Pick<Specs, 'has'>): string | undefined =>
  after.find((name) => others.has(name));

/** What to say of tools that are left out only because one before them is. */
export function followerWarnings(
  all: Specs,
  shaping: Shaping,
  withheld: ReadonlySet<string>,
): Warning[] {
  const followers = [...all.values()].filter((spec) => {
    return withheld.has(spec.name) && shaping.allows(spec);
  });
  return followers.map((spec) => {
    const first = firstWithout(spec, withheld) ?? 'another';
    return {
      code: 'PV6034',
      message: `${spec.name} is left out: it comes after ${first}, which this run may not call`,
      hint: 'allow both, or deny both',
    };
  });
}

/** What is not allowed stands in for nothing, and is in nobody's way. */
function among(kept: Specs, spec: ToolSpec): ToolSpec {
  const { alternatives, conflicts } = spec;
  const isThere = (name: string): boolean => kept.has(name);
  return {
    ...spec,
    ...(alternatives && { alternatives: alternatives.filter(isThere) }),
    ...(conflicts && { conflicts: conflicts.filter(isThere) }),
  };
}

/** A class alone decides again what can be repeated. */
function overridden(spec: ToolSpec, override: ToolOverride): ToolSpec {
  const { effect } = override;
  const idempotent = effect === undefined ? spec.idempotent : effect !== 'write';
  const destructive = effect === undefined || effect === 'write' ? spec.destructive : false;
  return { ...spec, idempotent, destructive, ...override };
}

interface Named {
  readonly name: string;
  readonly origin: string;
}

/** The names and patterns of a list, with those of the sets that it refers to. */
function namesIn({ settings, origins }: ShapingOptions, list: 'allow' | 'deny'): Named[] {
  const origin = origins[list] ?? '';
  return (settings[list] ?? []).flatMap((given): Named[] => {
    if (!given.startsWith('@')) return [{ name: given, origin }];
    const sets = settings.toolsets ?? {};
    const set = given.slice(1);
    if (Object.hasOwn(sets, set)) {
      return (sets[set] ?? []).map((name) => ({ name, origin: `${origin}: ${given}` }));
    }
    const known = Object.keys(sets).map((name) => `@${name}`);
    throw new AgentError('PV6501', `there is no set of tools ${given}`, {
      facts: { origin },
      hint:
        known.length === 0
          ? 'a configuration names sets: "toolsets": { "research": ["search*"] }'
          : `the sets are ${known.join(', ')}`,
    });
  });
}

const keysOf = (
  { settings, origins }: ShapingOptions,
  setting: 'pins' | 'toolOverrides' | 'toolLimits',
): Named[] =>
  Object.keys(settings[setting] ?? {}).map((name) => ({ name, origin: origins[setting] ?? '' }));

/** A misspelt name would be no rule at all; patterns may be about tools that are away today. */
function refuseUnknown(
  code: AgentCode,
  { specs, namespaces = [] }: ShapingOptions,
  names: readonly Named[],
): void {
  const isThere = (space: string): boolean =>
    [...specs.keys()].some((name) => name.startsWith(`${space}.`));
  const away = namespaces.filter((space) => !isThere(space));
  for (const { name, origin } of names) {
    if (name.includes('*') || findTool(specs, name)) continue;
    if (away.some((space) => name.startsWith(`${space}.`))) continue;
    const facts = { tool: name, origin };
    throw new AgentError(code, `there is no tool ${name}`, { hint: toolHint(specs, name), facts });
  }
}

function refuseUnknownPins({ name, parameters }: ToolSpec, pins: Pins, origin: string): void {
  const { properties = {}, additionalProperties } = parameters;
  if (additionalProperties !== undefined && additionalProperties !== false) return;
  for (const key of Object.keys(pins)) {
    if (Object.hasOwn(properties, key) || Object.keys(properties).length === 0) continue;
    throw new AgentError('PV6502', `${name} has no parameter ${key} to pin`, {
      facts: { tool: name, origin },
      hint: `its parameters are ${Object.keys(properties).join(', ')}`,
    });
  }
}
