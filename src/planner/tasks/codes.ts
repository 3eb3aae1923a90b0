/** Codes of the loops over tasks, beside those of all planning (`../codes.ts`). */
export const codes: Readonly<Record<string, string>> = {
  PV7201: 'A model that was to join what tasks came to said neither Finish nor Replan, twice.',
};
