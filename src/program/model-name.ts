/** Models by name, `provider/model`. */

export const providerOf = (model: string): string => model.slice(0, model.indexOf('/'));

/** What is wrong with something that has to be such a name. */
export const modelProblem = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[^/\s]+\/\S/.test(value)
    ? undefined
    : `got ${typeof value === 'string' ? value : JSON.stringify(value)}, want PROVIDER/NAME`;
