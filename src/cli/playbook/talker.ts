/**
 * Who a program of playbooks talks with: a person at this terminal, who has just read what was
 * said, or lines that are piped in, one message each. Where nobody is, the run waits.
 */
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { isPiped } from '../planning/stdin-input.ts';
import { personHere, type TerminalPerson, userName } from '../process/terminal-person.ts';
import { say } from '../view/output.ts';

export interface Talker {
  readonly person: TerminalPerson | undefined;
  /** Lets stdin go, which may stay open for ever. */
  close(): void | Promise<void>;
}

/** `isChat`: lines of stdin are messages. */
export function talker(flags: { readonly prompts?: boolean }, isChat: boolean): Talker {
  const person = personHere(flags);
  if (person || !isChat || process.stdin.isTTY === true) return { person, close() {} };
  if (flags.prompts !== false) return lineByLine();
  if (isPiped()) say('--no-input: nothing is read from stdin, also where messages are piped in');
  return { person, close() {} };
}

/** Empty lines say nothing; nothing is decided by what is piped in. */
function lineByLine(): Talker {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    for (;;) {
      const { done, value: line = '' } = await lines.next();
      if (done) return undefined;
      if (line.includes(unread))
        say(`stdin: got bytes that are no text in UTF-8, taken for ${unread}`);
      if (line.trim() !== '') return line.trim();
    }
  };
  const person: TerminalPerson = {
    before() {},
    async answer() {
      const value = await next();
      return value === undefined ? undefined : { value, by: userName() };
    },
    decide: async () => undefined,
  };
  return {
    person,
    async close() {
      // Stdin may stay open for ever: only what has come is looked at.
      const left = await Promise.race([next(), setImmediate(undefined)]);
      if (left !== undefined) say(`nobody has heard what else is piped in, from "${left}" on`);
      process.stdin.destroy();
    },
  };
}

/** What stands in place of bytes that are no text. */
const unread = '\ufffd';
