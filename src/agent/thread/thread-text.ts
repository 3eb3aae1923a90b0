/** Conversations as text: for an editor, and to keep in a file. */

import { type Said, type Thread, threadModes } from '../../engine/journal/threads.ts';
import { stringify } from '../../program/json.ts';
import { AgentError } from '../port/errors.ts';

/** In Markdown, with the programs that have run. */
function markdownOf({ id, title, messages }: Thread): string {
  const parts = messages.flatMap(({ role, content, run, program }) => [
    `## ${role}${run === undefined ? '' : ` (${run})`}`,
    content,
    ...(program ? [`\`\`\`${program.dialect}\n${program.text.trimEnd()}\n\`\`\``] : []),
  ]);
  return `${[`# ${title || id}`, ...parts].join('\n\n')}\n`;
}

/** As JSON, which `readThread` reads; in Markdown where the file ends so. */
export const fileText = (thread: Thread, file: string): string =>
  file.endsWith('.md') ? markdownOf(thread) : `${stringify(thread, 2)}\n`;

const head = /^## (user|assistant)$/;

/** The messages for an editor: those without a program change freely. */
export const editableText = (messages: readonly Said[]): string =>
  messages.map(({ role, content }) => `## ${role}\n${content}\n`).join('\n');

/**
 * What an editor has left of messages. One that stays as it is keeps its run and program; a changed
 * one is words alone. Throws `AgentError` PV6705 for text above the first heading.
 */
export function editedMessages(text: string, before: readonly Said[]): Said[] {
  const found: { role: Said['role']; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const role = head.exec(line)?.[1];
    if (role === 'user' || role === 'assistant') found.push({ role, lines: [] });
    else if (found.length > 0) found.at(-1)?.lines.push(line);
    else if (line.trim() !== '') {
      throw new AgentError('PV6705', `got "${line.slice(0, 40)}" above the first message`, {
        hint: 'each message begins with a line ## user or ## assistant',
      });
    }
  }
  const left = [...before];
  return found.flatMap(({ role, lines }): Said[] => {
    const content = lines.join('\n').trim();
    if (content === '') return [];
    const at = left.findIndex((one) => one.role === role && one.content.trim() === content);
    const [same] = at < 0 ? [] : left.splice(at, 1);
    return [same ?? { role, content, at: Date.now() }];
  });
}

/** A thread out of a file. Throws `AgentError` PV6706 for what is none. */
export function readThread(text: string, file: string): Omit<Thread, 'id' | 'version'> {
  const bad = (why: string): AgentError =>
    new AgentError('PV6706', `${file} holds no thread: ${why}`, { facts: { file } });
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw bad('it is no JSON');
  }
  const { title, createdAt, mode, messages, definitions, variables } = Object(data);
  if (!Array.isArray(messages) || !messages.every(isSaid))
    throw bad('messages are no list of them');
  const known = threadModes.includes(mode);
  const functions = Array.isArray(definitions) ? definitions.filter(isDefinition) : [];
  const now = Date.now();
  return {
    ...{ title: typeof title === 'string' ? title : '', mode: known ? mode : 'program' },
    ...{ createdAt: typeof createdAt === 'number' ? createdAt : now, updatedAt: now },
    ...{ messages, definitions: functions, variables: textsIn(variables) },
  };
}

const isSaid = (data: unknown): data is Said => {
  const { role, content } = Object(data);
  return (role === 'user' || role === 'assistant') && typeof content === 'string';
};

const isDefinition = (data: unknown): boolean => {
  const { name, signature, about, text } = Object(data);
  return [name, signature, about, text].every((one) => typeof one === 'string');
};

const textsIn = (data: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(data)).filter(([, one]) => typeof one === 'string'),
  ) as Record<string, string>;
