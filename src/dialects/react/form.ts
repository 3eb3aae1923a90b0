/** Transcripts of ReAct: one action at a time, each behind its thought, until `Finish[answer]`. */
import { type Form, planForm } from '../llmcompiler/form.ts';
import { warn } from '../llmcompiler/report.ts';

const action = (_: string, name: string): string => `Action: ${name}[…]`;
const end = (): string => 'Action: Finish[answer]';

export const transcriptForm: Form = {
  action,
  end,
  observation: planForm.observation,
  lines: 'a transcript has lines Thought:, Action: tool[…], and Action: Finish[answer] at its end',
  checkCall(to, { kind, form, name, id: step, nameAt }) {
    if (kind === 'join' && name.toLowerCase() !== 'finish') {
      const hint = `write ${end()}`;
      warn(to, 'joinEnd', nameAt, `got ${name}, want Finish with the answer`, { hint, step });
    } else if (form !== 'action' && form !== 'alone') {
      const hint = `write ${kind === 'join' ? end() : action(step, name)}`;
      warn(to, 'numberedForm', nameAt, 'got a number, want Action:', { hint, step });
    }
  },
  checkAnswer(to, item) {
    const hint = `write Action: Finish[${item.text.length > 40 ? '…' : item.text}]`;
    warn(to, 'answerEnd', item, 'got a line that says the answer, want Finish', { hint });
  },
  checkEndless(to, last) {
    warn(to, 'noFinish', last, 'the transcript does not end with Finish', {
      hint: `write ${end()} as its last line`,
    });
  },
};
