/**
 * The helper of `llm_bind`, as programs write it: `WebHelpers.get_profile(first_name, last_name)`.
 * A comma that is missing between two names is put there. Pure; checkers and the machine read it.
 */

/** The tool that finds the arguments of a helper. */
export const bindingTool = 'bind_arguments';

export interface HelperCall {
  /** As it is written: any name of a tool. */
  readonly name: string;
  /** The parameters that are named; none means all that the helper needs. */
  readonly wanted: readonly string[];
  /** What had to be mended, in words. */
  readonly mended: readonly string[];
}

/** Undefined for a text that is no name, alone or with names in parentheses behind it. */
export function readHelperCall(text: string): HelperCall | undefined {
  const [, name, inside = ''] =
    /^\s*([A-Za-z_][\w.-]*)\s*(?:\(([^()]*)\)\s*;?\s*)?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const wanted: string[] = [];
  const mended: string[] = [];
  for (const part of inside.split(',')) {
    // `name: str`, `name=None` and `*` are taken for what they say of the name.
    const words = part
      .replace(/\s*(?:=|:).*$/s, '')
      .split(/\s+/)
      .filter((word) => word !== '' && word !== '*');
    if (words.some((word) => !/^[A-Za-z_][\w-]*$/.test(word))) return undefined;
    if (words.length > 1) mended.push(`a comma was put between ${words.join(' and ')}`);
    wanted.push(...words);
  }
  return { name, wanted, mended };
}
