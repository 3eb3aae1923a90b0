/**
 * From the past of a run, as somebody looks at it, to a run that goes on from there: a fork, gone
 * through while it happens. What it owns: the tools of the fork, and the fork itself.
 */

import { type ForkPlace, forkOptions } from '../../agent/resume/fork-options.ts';
import { refuseInner } from '../../agent/resume/inner.ts';
import { beginFork } from '../../agent/run/begin-again.ts';
import { fileOf } from '../../agent/settings/kept-settings.ts';
import { RunAhead } from '../../agent/travel/run-ahead.ts';
import type { Ahead } from '../../agent/travel/travel.ts';
import { draftFork } from '../../engine/fork/fork-draft.ts';
import { previewFork } from '../../engine/fork/fork-preview.ts';
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { WalkParts } from '../../engine/past/walk.ts';
import { Turnstile } from '../../engine/perform/gate.ts';
import type { RunResult } from '../../engine/result.ts';
import type { RunHandle } from '../../engine/run.ts';
import { oneLine } from '../../text/words.ts';
import { observe } from '../process/telemetry.ts';
import { openFork } from '../run/open-fork.ts';
import { givenLimits } from '../settings/limit-options.ts';
import type { WorkspaceOptions } from '../settings/workspace.ts';
import { forkLines } from '../view/notice-lines.ts';
import { say, styleOf } from '../view/output.ts';
import { guardDebugged } from './guard.ts';

/** A run that is gone through while it happens. */
export interface Forked {
  readonly run: string;
  readonly parts: WalkParts;
  readonly ahead: Ahead;
}

export interface Drafted {
  /** What would be performed. */
  readonly lines: readonly string[];
  /** Makes the fork. */
  begin(): Forked;
}

/** What a person says of settings; it counts more than what the run had. */
export type ForkFlags = NonNullable<WorkspaceOptions['flags']> & { readonly record?: string };

export class ForkOn {
  readonly #journal: Journal;
  readonly #base: RunSummary;
  readonly #flags: ForkFlags;
  #place: ForkPlace | undefined;
  #begun: { readonly handle: RunHandle; readonly ahead: RunAhead; unguard(): void } | undefined;

  constructor(journal: Journal, base: RunSummary, flags: ForkFlags = {}) {
    this.#journal = journal;
    this.#base = base;
    this.#flags = flags;
  }

  /** Makes nothing. Throws as `draftFork` does. */
  async draft(edit: Pick<ForkEdit, 'at' | 'set'>): Promise<Drafted> {
    refuseInner(this.#base);
    const limits = givenLimits(this.#flags);
    const { record } = this.#flags;
    const given = { flags: this.#flags, limits, record };
    this.#place ??= await openFork(this.#journal, this.#base, given);
    const { toolbox, workspace } = this.#place;
    const file = fileOf(this.#base);
    const gate = new Turnstile();
    const wanted = await forkOptions(this.#place, { by: 'person', ...edit }, { file, limits });
    const options = { ...wanted, gate };
    const draft = draftFork(options);
    return {
      lines: forkLines(previewFork(options, draft), styleOf(process.stdout)),
      begin: () => {
        const { loaded, record } = draft;
        toolbox.prepare(loaded.program);
        const handle = beginFork({ journal: this.#journal, workspace, host: {} }, options, draft);
        const unguard = toolbox.callsFunctions(loaded.program) ? guardDebugged(handle) : () => {};
        const { dialect } = loaded.source;
        observe(handle, { title: record.title, dialect, resumed: true });
        const ahead = new RunAhead({ handle, journal: this.#journal, gate });
        this.#begun = { handle, ahead, unguard };
        const name = styleOf(process.stderr).strong(`run ${handle.id}`);
        const from = `forked from ${this.#base.id}: what it asks for waits for you`;
        say(`${name}  ${oneLine(record.title)}, ${from}`);
        const past = readPast(this.#journal.events(handle.id));
        return { run: handle.id, ahead, parts: { loaded, past, status: 'running' } };
      },
    };
  }

  /** A fork that has not ended is suspended; undefined where none was made. */
  async end(): Promise<RunResult | undefined> {
    const { handle, ahead, unguard } = this.#begun ?? {};
    unguard?.();
    if (!ahead?.isOver) handle?.cancel('interrupted');
    try {
      return await handle?.result;
    } finally {
      this.#place?.toolbox.close();
    }
  }
}
