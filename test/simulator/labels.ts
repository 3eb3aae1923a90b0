/** Names of steps, as events say them. */

/** Without the number of the visit. */
export const labelOf = (step: string): string => step.replace(/@\d+$/, '');
