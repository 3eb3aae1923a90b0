/** References to the environment in texts of a configuration. */

/** The variables that a text refers to: `Bearer ${NAME}`. */
export const variablesIn = (text: string): string[] =>
  Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, variable = '']) => variable);
