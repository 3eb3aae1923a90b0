/** The runs of a journal, as an agent gives them to whoever looks at them. */

import { exportRuns } from '../engine/journal/export.ts';
import { importRuns, readExport } from '../engine/journal/import.ts';
import type { Journal, RunSummary } from '../engine/journal/journal.ts';
import type { RunFilter } from '../engine/journal/run-identity.ts';
import type { RunResult } from '../engine/result.ts';
import type { Comparison } from '../engine/views/compare.ts';
import { familyOf, type Member } from '../engine/views/family.ts';
import type { RunView } from '../engine/views/show.ts';
import type { StateView } from '../engine/views/state-view.ts';
import { runsOf } from './follow.ts';
import type { SourcedAnswer } from './record/answer-sources.ts';
import { findRun } from './record/find-run.ts';
import { importedSettings } from './record/imported.ts';
import { keptResult } from './record/kept-result.ts';

/** What runs programs again is loaded for whoever asks for it: a list of runs needs none of it. */
const loading = async () => (await import('./record/load.ts')).load;

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
  async result(name: string): Promise<RunResult | undefined> {
    const result = keptResult(this.#journal, this.get(name).id);
    const { withAnswerSources } = await import('./record/answer-sources.ts');
    return result && withAnswerSources(result, this.#journal);
  }

  /** Its steps and effects. */
  async show(name: string): Promise<RunView> {
    const run = this.get(name).id;
    const { showRun } = await import('../engine/views/show.ts');
    return showRun({ journal: this.#journal, run, load: await loading() });
  }

  /** Variables, frames and what is pending at a step (`4@2`), an effect (`0#7`), or the end. */
  async state(name: string, at = 'end'): Promise<StateView> {
    const run = this.get(name).id;
    const { stateAt } = await import('../engine/past/time.ts');
    const { stateView } = await import('../engine/views/state-view.ts');
    return stateView(stateAt({ journal: this.#journal, run, load: await loading(), at }), at);
  }

  /** Where two runs differ. */
  async compare(one: string, other: string): Promise<Comparison> {
    const runs = [this.get(one).id, this.get(other).id] as const;
    const { compareRuns } = await import('../engine/views/compare.ts');
    return compareRuns({ journal: this.#journal, runs, load: await loading() });
  }

  /** The run that a run comes from by forks, with all forks of that one. */
  family(name: string): Member {
    return familyOf(this.#journal, this.get(name).id);
  }

  /** The answers of a run, with the effects and the sources that each may be made from. */
  async answers(name: string): Promise<readonly SourcedAnswer[]> {
    const { sourcedAnswers } = await import('./record/answer-sources.ts');
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
