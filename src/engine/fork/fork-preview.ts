/** What a fork will do, as far as that can be known without performing anything. */
import type { Request } from '../../program/effect.ts';
import { readPast } from '../past/read-past.ts';
import { type Known, vanishedSoFar } from '../past/replay.ts';
import { Walk } from '../past/walk.ts';
import { hashOf } from '../settings.ts';
import { type EffectView, effectView, queuedView } from '../views/show.ts';
import { draftFork, type ForkDraft, type ForkOptions } from './fork-draft.ts';

export interface ForkPreview {
  /** The base. */
  readonly run: string;
  /** The step from which on it may differ; null for the start. */
  readonly at: string | null;
  /** What it has in common with the base: effects before that step. */
  readonly kept: readonly EffectView[];
  /** What it asks for as the base did, and takes from there. */
  readonly reused: readonly EffectView[];
  /** What it performs first; what comes after that depends on the outcomes. */
  readonly performed: readonly (EffectView & {
    /** Whether the base has performed an equal request. */
    readonly again: boolean;
  })[];
  /** What the base may have done: a person has to decide before it goes on. */
  readonly doubtful: readonly EffectView[];
  /** What the base has written, from that step on, and the fork, as far as it comes, has not. */
  readonly vanished: readonly EffectView[];
  /** Whether it comes to its end by what there is, so that nothing else will be asked for. */
  readonly ends: boolean;
}

/** Makes nothing. Throws as `forkRun` does. */
export function previewFork(
  options: Omit<ForkOptions, 'owner'>,
  { history, loaded }: ForkDraft = draftFork(options),
): ForkPreview {
  const past = readPast(history());
  const { specs } = loaded;
  const kept = [...past.effects].flatMap(([id, effect]) =>
    effect.outcome ? [effectView(id, effect, specs.get(effect.tool), false)] : [],
  );
  const found = new Map<string, { readonly request: Request; readonly known: Known }>();
  const walk = new Walk({
    ...{ loaded, past, status: 'running', inherits: true },
    onRequest: (request, known) => void found.set(request.id, { request, known }),
    onCancel: (id) => void found.delete(id),
  });
  while (walk.next(() => false).kind !== 'end');
  const reused: EffectView[] = [];
  const performed: ForkPreview['performed'][number][] = [];
  const doubtful: EffectView[] = [];
  for (const { request, known } of found.values()) {
    const spec = specs.get(request.tool);
    const { kind } = known;
    if (kind === 'reused') {
      const effect = { ...known.past, step: request.step, origin: 'reused' } as const;
      reused.push(effectView(request.id, effect, spec, false));
    } else if (kind === 'begun' && isInDoubt(known, spec?.idempotent)) {
      doubtful.push(effectView(request.id, known.past, spec, false));
    } else if ((kind === 'nothing' || kind === 'begun') && !request.race) {
      const again = past.reuse?.has(hashOf(request, past.requestKey)) ?? false;
      performed.push({ ...queuedView(request, specs), again });
    }
  }
  const vanished = vanishedSoFar(specs, walk.machine, walk).map(({ id, effect }) =>
    effectView(id, effect, specs.get(effect.tool), false),
  );
  const ends = walk.machine.view().status === 'done';
  const at = past.edit?.at ?? null;
  return { run: options.run, at, kept, reused, performed, doubtful, vanished, ends };
}

const isInDoubt = ({ past }: Known & { kind: 'begun' }, idempotent = false): boolean =>
  past.state === 'unknown' || (past.state === 'started' && !idempotent);
