/**
 * Who a program of playbooks talks with: a person at this terminal, who has just read what was
 * said, or lines that are piped in, one message each. Where nobody is, the run waits.
 */
import { createInterface } from 'node:readline';
import { personHere, type TerminalPerson } from '../process/terminal-person.ts';
import { userName } from '../process/user-name.ts';

export interface Talker {
  readonly person: TerminalPerson | undefined;
  /** Lets stdin go, which may stay open for ever. */
  close(): void;
}

/** `isChat`: lines of stdin are messages. */
export function talker(flags: { readonly prompts?: boolean }, isChat: boolean): Talker {
  const person = personHere(flags);
  const isPiped = isChat && flags.prompts !== false && process.stdin.isTTY !== true;
  if (person || !isPiped) return { person, close() {} };
  return { person: lineByLine(), close: () => process.stdin.destroy() };
}

/** Empty lines say nothing; nothing is decided by what is piped in. */
function lineByLine(): TerminalPerson {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return {
    before() {},
    async answer() {
      for (;;) {
        const next = await lines.next();
        if (next.done) return undefined;
        const value = next.value.trim();
        if (value !== '') return { value, by: userName() };
      }
    },
    decide: async () => undefined,
  };
}
