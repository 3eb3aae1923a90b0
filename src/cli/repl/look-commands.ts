/** Commands that show what there is: messages, variables, tools, costs, what a run has done. */

import { findRun } from '../../agent/record/find-run.ts';
import { load } from '../../agent/record/load.ts';
import { signatureOf } from '../../dialects/signature.ts';
import { callable } from '../../dialects/starlark/resolve/tool-names.ts';
import { lookAt } from '../../engine/views/show.ts';
import { traceOf } from '../../engine/views/trace.ts';
import { matchesTool } from '../../program/tool-names.ts';
import { clip, columns, count, grouped, oneLine, price } from '../../text/words.ts';
import { exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { withJournal } from '../run/journal.ts';
import { messageLines } from '../threads/thread-text.ts';
import { print, say, styleOf } from '../view/output.ts';
import { traceLines } from '../view/trace-lines.ts';
import { shownValue } from './code.ts';
import type { Desk, ReplCommand } from './desk.ts';

export const lookCommands: readonly ReplCommand[] = [
  {
    name: 'messages',
    takes: '[n]',
    about: 'Show what was said, or the last n messages of it.',
    aliases: ['m'],
    run({ conversation }, rest) {
      const { messages } = conversation.thread;
      const shown = /^\d+$/.test(rest) ? messages.slice(-Number(rest)) : messages;
      if (shown.length === 0) say('nothing was said yet');
      for (const line of messageLines(shown, styleOf(process.stdout))) print(line);
    },
  },
  {
    name: 'vars',
    about: 'Show the variables, which later programs have as inputs.',
    aliases: ['globals', 'locals'],
    run({ code }) {
      const rows = [...code.variables].map(([name, value]) => [name, shownValue(value, code)]);
      if (rows.length === 0) say('no variables yet');
      for (const row of columns(rows)) print(row);
    },
  },
  {
    name: 'functions',
    about: 'Show the functions of this conversation, which later programs may call.',
    aliases: ['helpers'],
    run({ conversation }, rest) {
      const { definitions } = conversation.thread;
      const found = definitions.filter(({ name }) => rest === '' || name === rest);
      if (found.length === 0)
        say(rest === '' ? 'no functions yet' : `there is no function ${rest}`);
      if (rest !== '') for (const { text } of found) print(text);
      else for (const row of columns(found.map((one) => [one.signature, one.about]))) print(row);
    },
  },
  {
    name: 'tools',
    takes: '[filter]',
    about: 'Show the tools that programs may call, with their parameters.',
    aliases: ['agents'],
    run({ toolbox }, rest) {
      const found = [...callable(toolbox.specs)].filter(
        ([name, { description }]) =>
          rest === '' || matchesTool(rest, name) || `${name} ${description}`.includes(rest),
      );
      if (found.length === 0) say(`there is no tool like ${rest}`);
      const rows = found.map(([name, spec]) => [
        signatureOf({ ...spec, name }),
        clip(oneLine(spec.description), aboutColumns),
      ]);
      for (const row of columns(rows)) print(row);
    },
  },
  {
    name: 'cost',
    about: 'Say what the conversation has used: model calls, tokens, money.',
    aliases: ['usage'],
    run({ conversation }) {
      const { modelCalls, inputTokens, outputTokens, cost } = conversation.usage;
      const tokens = `${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`;
      const money = cost === undefined ? 'price unknown' : price(cost);
      print([count(modelCalls, 'model call'), tokens, money].join(' · '));
    },
  },
  {
    name: 'trace',
    takes: '[run]',
    about: 'Show where the time of the last run went, or of another one.',
    async run(desk, rest) {
      const { run } = desk.conversation.thread.messages.findLast((said) => said.run) ?? {};
      const name = rest === '' ? run : rest;
      if (name === undefined) return nothing(desk, 'nothing has run yet');
      await withJournal(desk.workspace, (journal) => {
        const trace = traceOf(lookAt({ journal, run: findRun(journal, name).id, load }));
        for (const line of traceLines(trace, styleOf(process.stdout))) print(line);
      });
    },
  },
  {
    name: 'show',
    about: 'Print the program that has run last.',
    aliases: ['ast', 'source'],
    run(desk) {
      const last = desk.conversation.lastProgram;
      if (!last) return nothing(desk, 'no program has run yet');
      say(styleOf(process.stderr).dim(`${last.program.dialect}, run ${last.run ?? ''}`));
      print(last.program.text.trimEnd());
    },
  },
  {
    name: 'copy',
    about: 'Put the last answer into the clipboard of the terminal.',
    aliases: ['y'],
    run(desk) {
      const { messages } = desk.conversation.thread;
      const last = messages.findLast(({ role }) => role === 'assistant');
      if (!last) return nothing(desk, 'there is no answer yet');
      if (!process.stderr.isTTY) {
        throw new CliError('PV6704', 'there is no terminal whose clipboard could take it', {
          hint: 'planvm thread show last prints what was said',
          exit: exit.usage,
        });
      }
      // What terminals understand as: take this into the clipboard (OSC 52).
      process.stderr.write(`\u001b]52;c;${Buffer.from(last.content).toString('base64')}\u0007`);
      say(`copied ${count(last.content.length, 'character')}`);
    },
  },
];

const aboutColumns = 70;

export function nothing(desk: Desk, why: string): void {
  say(why);
  desk.fail();
}
