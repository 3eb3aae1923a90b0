/**
 * Assembly as a dialect: what `planvm compile` prints, run as it is. For golden programs, for
 * compilers that are tried out, and to see that nothing of a program is lost in its listing.
 */

import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Chunk, Program } from '../../program/program.ts';
import { toolHint } from '../../program/tool-names.ts';
import type { Dialect, Environment } from '../dialect.ts';
import { dialectFiles } from '../names.ts';
import { programInReply } from '../reply.ts';
import { assemble } from './assembler.ts';

export const assembly: Dialect<Program> = {
  name: 'assembly',
  about: 'Instructions of the machine, as planvm compile prints them.',
  extensions: dialectFiles.assembly,
  detect: (text) =>
    /^\s*(;[^\n]*\n\s*)*\.(dialect|chunk|global|step|function)\b/.test(text) ? 1 : 0,
  parse(text) {
    const { program, diagnostics = [] } = assemble(text);
    return program ? { tree: program, diagnostics } : { diagnostics };
  },
  check: (program, environment) =>
    program.chunks.flatMap((chunk) => unknownTools(chunk, environment)),
  lower: (program) => program,
  describe: () =>
    'Assembly: `.chunk main`, then one instruction a line, as planvm compile prints any program. ' +
    'docs/reference/instructions.md lists the instructions.',
  fence: 'text',
  answerHint: 'push the answer and execute ANSWER before the last RETURN',
  find: (reply) =>
    programInReply(reply, {
      code: /^[^\S\r\n\u2028\u2029]*\.(chunk|global|function)\b/m,
      languages: /^(?:text|txt|assembly|asm)$/i,
      parses: () => true,
    })?.text,
};

/** Without a place: the places in a listing are those of the source that it was compiled from. */
function unknownTools({ constants }: Chunk, { tools }: Environment): Diagnostic[] {
  return constants.flatMap((value) => {
    if (value === null || typeof value !== 'object' || value.kind !== 'tool') return [];
    if (tools.has(value.name)) return [];
    const hint = toolHint(tools, value.name);
    return [
      {
        code: 'PV2003',
        severity: 'error',
        message: `there is no tool ${value.name}`,
        line: 0,
        column: 0,
        unknown: value.name,
        ...(hint === undefined ? {} : { hint }),
      },
    ];
  });
}
