/** What sets a program of playbooks off: it begins by itself, or when somebody says something. */
import { clockOf } from '../text/times.ts';
import { personWord } from '../text/words.ts';
import type { CompiledFile, Trigger } from './compiled.ts';

/** Whether some playbook is played without a word from outside: at the beginning, or when due. */
export const begins = (file: Triggered): boolean => triggersIn(file).some(isBeginning);

/** Whether what a person says, or an event, sets some playbook off. */
export const hears = (file: Triggered): boolean =>
  triggersIn(file).some(
    (trigger) => !isBeginning(trigger) && (trigger.code === 'EVT' || personWord.test(trigger.text)),
  );

/** Whether a program has nothing to do until it is spoken to. */
export const onlyListens = (file: Triggered): boolean => !begins(file) && hears(file);

type Triggered = Pick<CompiledFile, 'agents'>;

const triggersIn = ({ agents }: Triggered): readonly Trigger[] =>
  agents
    .filter(({ kind }) => kind === 'ai')
    .flatMap(({ playbooks }) => playbooks.flatMap(({ triggers }) => triggers));

const isBeginning = ({ code, text }: Trigger): boolean =>
  code === 'BGN' || clockOf(text) !== undefined;
