/** What the tokens of a prompt are for, for who wants to know where they go. */
import { utf8Bytes } from '../../../program/size.ts';

export const promptParts = [
  'instructions',
  'examples',
  'agent',
  'callees',
  'playbook',
  'variables',
  'session',
  'instruction',
] as const;

/** Estimated, as before any call. */
export type PromptTokens = Readonly<Record<(typeof promptParts)[number], number>>;

const bytesPerToken = 3;

export const tokensOf = (text: string): number => Math.ceil(utf8Bytes(text) / bytesPerToken);
