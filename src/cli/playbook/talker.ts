/**
 * Who a program of playbooks talks with: a person at this terminal, who has just read what was
 * said, or lines that are piped in, one message each. Where nobody is, the run waits.
 */
import { createInterface } from 'node:readline';
import { isPiped } from '../planning/stdin-input.ts';
import { personHere, type TerminalPerson, userName } from '../process/terminal-person.ts';
import { say } from '../view/output.ts';

export interface Talker {
  readonly person: TerminalPerson | undefined;
  /** Lets stdin go, which may stay open for ever. */
  close(): void;
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
  const lines = createInterface({ input: process.stdin });
  const left: string[] = [];
  let isOver = false;
  let wake = (): void => {};
  lines.on('line', (line) => {
    const value = line.trim();
    if (value.includes(unread))
      say(`stdin: got bytes that are no text in UTF-8, taken for ${unread}`);
    if (value !== '' && left.push(value) >= aheadMax) lines.pause();
    wake();
  });
  lines.on('close', () => {
    isOver = true;
    wake();
  });
  const person: TerminalPerson = {
    before() {},
    async answer() {
      if (!isOver) lines.resume();
      while (left.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const value = left.shift();
      return value === undefined ? undefined : { value, by: userName() };
    },
    decide: async () => undefined,
  };
  return {
    person,
    close() {
      const [next] = left;
      if (next !== undefined) say(`nobody has heard what else is piped in, from "${next}" on`);
      process.stdin.destroy();
    },
  };
}

/** What stands in place of bytes that are no text. */
const unread = '\ufffd';

/** Lines that are read before anybody asks for them. */
const aheadMax = 100;
