/** Whether two texts are the same program, comments, spaces, quotes and parentheses aside. */
import { plan } from './parse/options.ts';
import { parse } from './parse/parser.ts';

/** The same text for programs that are the same; undefined for what cannot be read. */
export function shapeOf(text: string): string | undefined {
  const { file, errors } = parse(text, plan);
  if (!file || errors.length > 0) return undefined;
  return JSON.stringify(file.body, (key, value: unknown) => {
    if (/^at$|At$/.test(key)) return undefined;
    return typeof value === 'bigint' ? `${value}n` : value;
  });
}
