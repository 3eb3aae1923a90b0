/**
 * Starlark: a small Python for programs that models write. Its calls of tools do not wait, so
 * independent ones run side by side without a word of the author.
 */
import type { Dialect } from '../dialect.ts';
import { programInReply, type ReplyForm } from '../reply.ts';
import { describeLanguage } from './describe/describe.ts';
import { type StarlarkTree, starlarkLanguage } from './language.ts';
import { plan } from './parse/options.ts';
import { parse } from './parse/parser.ts';
import { statementParts } from './parts.ts';
import { quoted } from './quoted.ts';

export type { StarlarkTree } from './language.ts';

/** A line in a reply that is one of a program. */
const replyLine =
  /^[ \t]*(def \p{XIDC}+\(|for .+:$|[\p{XIDC}.]+\(|[\p{XIDC},][\p{XIDC}, ]*=(?!=))/mu;

const replyForm: ReplyForm = {
  code: replyLine,
  languages: /^(?:starlark|star|bzl|bazel|python3?|py|tool_code|code)$/i,
  parses: (text) => parse(text, plan).errors.length === 0,
};

export const starlark: Dialect<StarlarkTree> = {
  ...starlarkLanguage,
  about: 'Starlark, a small Python; calls of tools run side by side.',
  describe: describeLanguage,
  fence: 'starlark',
  answering: (words) => `# Answered in words, without a program.\nanswer(${quoted(words)})\n`,
  answerHint: 'call answer(x) on every way through the program; a function has to be called, too',
  find: (reply) => programInReply(reply, replyForm)?.text,
  othersIn: (reply) => programInReply(reply, replyForm)?.others ?? [],
  parts: statementParts,
};
