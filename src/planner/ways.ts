/** The ways in which what is asked for can be answered. */
export const routes = ['auto', 'program', 'direct'] as const;

/** `auto`: a model decides. */
export type Route = (typeof routes)[number];
