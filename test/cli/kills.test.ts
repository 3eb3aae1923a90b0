/**
 * Commands whose process is killed at new requests to a model, and at every first call of a tool: taken up again each time, they come to their answer, and nothing that was answered is asked
 * for again: what it has used is one model call for each reply.
 */
import { expect, test } from 'vitest';
import { type Ended, Folder } from '../support/cli.ts';
import { isPoint } from '../support/depth.ts';
import { type ServedRequest, startModelServer } from '../support/model-server.ts';

/** `look` takes the process with it when it is called with something for the first time. */
const tools = `
import { existsSync, writeFileSync } from 'node:fs';
const text = { type: 'string' };
const look = ({ place }) => {
  if (!existsSync('looked ' + place)) {
    writeFileSync('looked ' + place, '');
    process.kill(process.pid, 'SIGKILL');
  }
  if (place !== 'hall') throw new Error('the ' + place + ' is locked');
  return 'a box in the ' + place;
};
export default [
  { name: 'look', description: 'Looks.', effect: 'read', run: look, limits: { attempts: 1 },
    parameters: { type: 'object', properties: { place: text }, required: ['place'] } },
  { name: 'book', description: 'Reads.', effect: 'read', parameters: { type: 'object' },
    run: () => 'One box stood by the wall. '.repeat(1200) },
];
`;

/** Of requests; see `points`. */
const stride = 3;

interface Story {
  readonly command: readonly string[];
  /** What is typed, where the command is a conversation. */
  readonly input?: string;
  readonly program?: string;
  readonly reply: (request: ServedRequest) => string;
  readonly answer: unknown;
  /** Calls of `look` with something else each. */
  readonly looks: number;
}

const fenced = (program: string): string => `\`\`\`starlark\n${program}\n\`\`\``;
const named = 'place = llm_call(["The cellar."], "Name the place.")';
const isNaming = ({ prompt }: ServedRequest): boolean => prompt.startsWith('Name the place');

const stories: Readonly<Record<string, Story>> = {
  'what does not fit is read in parts, and their notes made shorter': {
    command: ['run', 'p.star', '--context-window', '8192', '--fit', 'map', '--concurrency', '1'],
    program: 'doc = book()\nanswer(llm_call(doc, "How many boxes?"))\n',
    reply({ prompt, messages: [first] }) {
      const place = first?.content.split(' of ')[0];
      if (prompt.includes('This is part')) return `${place} hold a box. `.repeat(300);
      return prompt.startsWith('These notes') ? 'Boxes were seen.' : 'Many boxes.';
    },
    ...{ answer: 'Many boxes.', looks: 0 },
  },
  'statements are written turn by turn, and some fail': {
    command: ['ask', 'Where is the box?', '--turns', '5'],
    reply(request) {
      if (isNaming(request)) return 'cellar';
      const turns = request.messages.filter(({ role }) => role === 'assistant').length;
      const said = [named, 'found = look(place = place)', 'found = look(place = "hall")'];
      return fenced(said[turns] ?? 'answer([place, found])');
    },
    ...{ answer: ['cellar', 'a box in the hall'], looks: 2 },
  },
  'a program is repaired, and its repair as well': {
    command: ['ask', 'Where is the box?', '--program', '--repair', '2'],
    reply(request) {
      if (isNaming(request)) return 'cellar';
      const text = request.messages.map(({ content }) => content).join('\n');
      const found = (place: string): string => `found = look(place = ${place})\nanswer(found)`;
      if (text.includes('the shed is locked')) return `REST\n${fenced(found('"hall"'))}`;
      if (text.includes('the cellar is locked')) return `REST\n${fenced(found('"shed"'))}`;
      return fenced(`${named}\n${found('place')}`);
    },
    ...{ answer: 'a box in the hall', looks: 3 },
  },
  'a turn of a conversation, whose program is repaired': {
    command: ['repl', '--mode', 'program', '--repair', '1'],
    input: 'Where is the box?\n',
    reply(request) {
      if (isNaming(request)) return 'cellar';
      const text = request.messages.map(({ content }) => content).join('\n');
      const found = (place: string): string => `found = look(place = ${place})\nanswer(found)`;
      if (text.includes('the cellar is locked')) return `REST\n${fenced(found('"hall"'))}`;
      return fenced(`${named}\n${found('place')}`);
    },
    ...{ answer: 'a box in the hall', looks: 2 },
  },
  'an answer is judged, rejected, and revised': {
    command: ['ask', 'Where is the box?', '--program', '--judge', '1'],
    reply(request) {
      if (isNaming(request)) return 'cellar';
      const text = request.messages.map(({ content }) => content).join('\n');
      const isBetter = text.includes('in the hall');
      if (text.includes('You judge whether')) {
        return JSON.stringify({ reason: 'Where?', accept: isBetter, suggestion: 'Look.' });
      }
      if (text.includes('was rejected')) return `PLAN\n${fenced('answer(look(place = "hall"))')}`;
      return fenced(`${named}\nanswer(place)`);
    },
    ...{ answer: 'a box in the hall', looks: 1 },
  },
};

test.concurrent.each(Object.entries(stories))('%s, whenever the process dies', async (_, story) => {
  const heard = new Set<string>();
  const answered: string[] = [];
  let die: () => void = () => {};
  let killed = 0;
  await using server = await startModelServer((request) => {
    const body = JSON.stringify(request.body);
    const isNew = !heard.has(body);
    heard.add(body);
    if (isNew && isPoint(heard.size, stride)) {
      killed++;
      die();
      return { hang: true };
    }
    answered.push(body);
    return story.reply(request);
  });
  using folder = new Folder({ 'p.star': story.program ?? '', 'tools.ts': tools });
  const { command, input = '' } = story;
  const live = async (args: readonly string[]): Promise<Ended> => {
    const call = folder.start(args, { env: server.env.openai, input });
    die = () => call.process.kill('SIGKILL');
    return await call.ended;
  };
  let ended = await live([...command, '--model', 'openai/m', '--tools', './tools.ts']);
  let deaths = 0;
  for (; ended.signal === 'SIGKILL'; deaths++) ended = await live(['resume', 'last', '--json']);
  expect(answered).toEqual([...heard]);
  expect(JSON.parse(ended.stdout), ended.stderr).toMatchObject({
    ...{ answer: story.answer, usage: { modelCalls: answered.length } },
  });
  expect(deaths).toBe(killed + story.looks);
  expect(deaths).toBeGreaterThan(0);
});
