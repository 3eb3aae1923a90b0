/**
 * From the past of a run to a fork that somebody goes through while it happens. What it owns: the
 * tools of the forks, which are opened for the first one.
 */
import { draftFork } from '../../engine/fork/fork-draft.ts';
import { type ForkPreview, previewFork } from '../../engine/fork/fork-preview.ts';
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { Limits } from '../../program/limits.ts';
import type { HeldRun } from '../port/host.ts';
import type { Workspace } from '../port/workspace.ts';
import { openAsRun, type RunTools } from '../resume/as-run.ts';
import { forkOptions } from '../resume/fork-options.ts';
import { refuseInner } from '../resume/inner.ts';
import { beginFork } from '../run/begin-again.ts';
import { fileOf } from '../settings/kept-settings.ts';

export interface ForksAheadParts {
  readonly journal: Journal;
  readonly workspace: Workspace;
  readonly base: RunSummary;
  /** Limits that differ from the base's. */
  readonly limits: Partial<Limits>;
}

export interface DraftedFork {
  readonly preview: ForkPreview;
  /** Starting it makes the fork. */
  readonly run: HeldRun;
}

export class ForksAhead {
  readonly #parts: ForksAheadParts;
  #tools: RunTools | undefined;

  constructor(parts: ForksAheadParts) {
    this.#parts = parts;
  }

  /** Makes nothing. Throws as `draftFork` does. */
  async draft(edit: Pick<ForkEdit, 'at' | 'set'>): Promise<DraftedFork> {
    const { base, limits, ...own } = this.#parts;
    refuseInner(base);
    this.#tools ??= await openAsRun(base, { ...own, changes: true });
    const place = { ...own, ...this.#tools, base, allowed: {} };
    const plan = { file: fileOf(base), limits };
    const options = await forkOptions(place, { by: 'person', ...edit }, plan);
    const draft = draftFork(options);
    const { program, source } = draft.loaded;
    return {
      preview: previewFork(options, draft),
      run: {
        ...{ journal: own.journal, title: draft.record.title, dialect: source.dialect, program },
        callsFunctions: place.toolbox.callsFunctions(program),
        start({ gate }) {
          place.toolbox.prepare(program);
          return beginFork({ ...place, host: {} }, { ...options, gate }, draft);
        },
      },
    };
  }

  close(): void {
    this.#tools?.toolbox.close();
  }
}
