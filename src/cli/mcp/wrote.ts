/** What an MCP server writes to its log, on stderr. */
import { say, styleOf } from '../view/output.ts';

export const wrote = (line: string): void => say(styleOf(process.stderr).dim(line));
