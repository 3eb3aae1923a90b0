/** A text of the web as a message of the conversation: fetched by a run, as programs do it. */

import { loadFiles } from '../../agent/tools/tool-files.ts';
import { asTools } from '../../agent/tools/toolbox.ts';
import type { Handler } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import { count } from '../../text/words.ts';
import { say } from '../view/output.ts';
import type { Desk } from './desk.ts';
import { runWritten } from './turn.ts';

export async function download(desk: Desk, url: string): Promise<void> {
  const { conversation, toolbox } = desk;
  const handlers = new Map([...(await webTools(desk)), ...toolbox.handlers]);
  const specs = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const before = conversation.thread.messages;
  const text = `answer(download(url = ${JSON.stringify(url)}))\n`;
  const flags = { ...desk.flags, quiet: true as const, apart: true };
  const { workspace, code } = desk;
  const turning = { workspace, conversation, code, flags };
  const result = await runWritten(
    { ...turning, toolbox: { ...toolbox, handlers, specs } },
    { text, dialect: 'starlark' },
    { title: `download ${url}` },
  );
  if (result?.status !== 'done') {
    desk.fail();
    return;
  }
  const { answer } = result;
  const page = typeof answer === 'string' ? answer : stringify(answer);
  conversation.change({ messages: before });
  conversation.keep();
  conversation.say({
    ...{ role: 'user', content: `The page ${url}:\n\n${page}`, at: Date.now(), as: 'page' },
    run: result.run,
  });
  say(`${url}: ${count(page.length, 'character')} are part of the conversation`);
}

/** The tools of the web, also where the configuration has none of them. */
async function webTools({ workspace, toolbox }: Desk): Promise<ReadonlyMap<string, Handler>> {
  if (toolbox.handlers.has('download')) return new Map();
  const env = { ...workspace.env, PLANVM_HOME: workspace.home };
  const loaded = await loadFiles(['planvm:web'], env);
  const found = loaded.flatMap(({ spec, handler }) =>
    handler && spec.name === 'download' ? [[spec.name, handler] as const] : [],
  );
  return await asTools(new Map(found), workspace);
}
