/** The runs of a journal, as an agent gives them to whoever looks at them. */

import { exportRuns } from '../engine/journal/export.ts';
import { importRuns, readExport } from '../engine/journal/import.ts';
import type { Journal, RunSummary } from '../engine/journal/journal.ts';
import type { RunFilter } from '../engine/journal/run-identity.ts';
import { stateAt } from '../engine/past/time.ts';
import type { RunResult } from '../engine/result.ts';
import { type Comparison, compareRuns } from '../engine/views/compare.ts';
import { familyOf, type Member } from '../engine/views/family.ts';
import { type RunView, showRun } from '../engine/views/show.ts';
import { type StateView, stateView } from '../engine/views/state-view.ts';
import { runsOf } from './follow.ts';
import { type SourcedAnswer, sourcedAnswers, withAnswerSources } from './record/answer-sources.ts';
import { findRun } from './record/find-run.ts';
import { importedSettings } from './record/imported.ts';
import { keptResult } from './record/kept-result.ts';
import { load } from './record/load.ts';

/** The runs of a journal: what they have done, found, compared and moved. */
export class AgentRuns {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Newest first. */
  list(filter: RunFilter = {}): readonly RunSummary[] {
    return this.#journal.list(filter);
  }

  /** By an id, the beginning of one, or `last`. Throws `AgentError` PV6012. */
  get(name: string): RunSummary {
    return findRun(this.#journal, name);
  }

  /** How it ended, with the sources of its answers; undefined while it goes on. */
  result(name: string): RunResult | undefined {
    const result = keptResult(this.#journal, this.get(name).id);
    return result && withAnswerSources(result, this.#journal);
  }

  /** Its steps and effects. */
  show(name: string): RunView {
    return showRun({ journal: this.#journal, run: this.get(name).id, load });
  }

  /** Variables, frames and what is pending at a step (`4@2`), an effect (`0#7`), or the end. */
  state(name: string, at = 'end'): StateView {
    const run = this.get(name).id;
    return stateView(stateAt({ journal: this.#journal, run, load, at }), at);
  }

  /** Where two runs differ. */
  compare(one: string, other: string): Comparison {
    const runs = [this.get(one).id, this.get(other).id] as const;
    return compareRuns({ journal: this.#journal, runs, load });
  }

  /** The run that a run comes from by forks, with all forks of that one. */
  family(name: string): Member {
    return familyOf(this.#journal, this.get(name).id);
  }

  /** The answers of a run, with the effects and the sources that each may be made from. */
  answers(name: string): readonly SourcedAnswer[] {
    return sourcedAnswers(this.#journal, this.get(name).id);
  }

  /** The runs of a session, from its first one on. */
  session(first: string): readonly RunSummary[] {
    return runsOf(this.#journal, this.get(first).id);
  }

  /** A run with its history, or its whole tree, as one text. */
  export(name: string, { tree = false }: { readonly tree?: boolean } = {}): string {
    return exportRuns({ journal: this.#journal, run: this.get(name).id, tree, now: Date.now() });
  }

  /** Takes runs over, whole or not at all, without the trust that they had. Gives their ids. */
  import(text: string, as?: string): readonly string[] {
    return importRuns(this.#journal, readExport(text, 'import'), as, importedSettings);
  }

  /** `restore` undoes it until the journal is swept. */
  delete(name: string): void {
    this.#journal.remove(this.get(name).id);
  }

  restore(id: string): void {
    this.#journal.restore(id);
  }
}
