/** Ids of runs within effects: made of the run around them, the effect and a name. */

/** What the ids of all runs within an effect begin with. */
export const innerRunStart = (run: string, effect: string): string =>
  `${run}.${effect.replace('#', '-').replaceAll('~', '_')}.`;

/** The id of the run with this name that makes the outcome of an effect. */
export const innerRunId = (run: string, effect: string, name: string): string =>
  innerRunStart(run, effect) + name;

/** Whether a run of some effect could have this id. */
export const isInnerRunId = (id: string): boolean => /\.[\d._]+-\d+(\.\d+)*\./.test(id);
