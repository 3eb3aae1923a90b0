/** What is piped in for playbooks that start, where they want it: a pipe may stay open for ever. */

import type { OpenProgram } from '../../agent/open-program.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import { isPiped, readStdin } from '../planning/stdin-input.ts';

/** Undefined where it is not wanted, and at a terminal. */
export async function pipedInto(program: OpenProgram): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined;
  const { source, workspace } = program;
  // Nothing comes from a device such as /dev/null, or where stdin is closed.
  if (!isPiped()) return namesPiped.test(source.text) ? '' : undefined;
  if (!wantsPiped(program)) return undefined;
  return (await readStdin(workspace.settings, '</dev/null')) ?? '';
}

/** What begins without lines is a task in words: what it is about may be anything that is there. */
function wantsPiped({ source, toolbox }: OpenProgram): boolean {
  if (namesPiped.test(source.text)) return true;
  const { agents } = compiledOf(readTree(source.text).tree, toolbox.specs.values());
  const all = agents.flatMap(({ playbooks }) => playbooks);
  return all.some(
    ({ mode, triggers }) =>
      (mode === 'react' || mode === 'raw') && triggers.some(({ code }) => code === 'BGN'),
  );
}

const namesPiped = /startup_message|\b(?:piped|stdin|standard input|entrée standard)\b/i;
