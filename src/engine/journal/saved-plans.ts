/**
 * Plans that have served well, each with the goal that it was written for: beside the runs, but on
 * their own, so that a plan stays when its run is deleted. There is one for each goal and label.
 */

export interface SavedPlan {
  /** `p` and ten hexadecimal digits; the same for the same goal and label. */
  readonly id: string;
  /** Names a group of goals, from the wide to the narrow: `reports/weekly`; may be empty. */
  readonly label: string;
  /** Equal for goals that may be reached by the same plan as it is. */
  readonly key: string;
  /** As the person wrote it. */
  readonly goal: string;
  /** Language and form of the answer, as they were asked for. */
  readonly language?: string;
  readonly format?: string;
  /** Names of the input variables. */
  readonly inputs: readonly string[];
  readonly dialect: string;
  readonly text: string;
  /** The run that it was taken from. */
  readonly run: string;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

export interface PlanStore {
  /** In the place of one with the same id. */
  save(plan: SavedPlan): void;
  /** Newest first. */
  list(): SavedPlan[];
  /** Whether there was one. */
  remove(id: string): boolean;
  close(): void;
}
