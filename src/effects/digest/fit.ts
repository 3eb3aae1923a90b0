/** What may become of values that are longer than the window of a model. */
export const fits = ['auto', 'map', 'top', 'fail'] as const;

export type Fit = (typeof fits)[number];
