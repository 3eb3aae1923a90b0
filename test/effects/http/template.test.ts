/** Tools in one line of a configuration, called over real HTTP. */
import { expect, test } from 'vitest';
import { httpHandler } from '../../../src/effects/http/perform.ts';
import { BadTemplate, type HttpDeclaration, httpTool } from '../../../src/effects/http/template.ts';
import { type Sent, startApi } from '../../support/api-server.ts';
import { attempt } from '../../support/attempt.ts';

const env = {
  API_KEY: 'key-0123456789',
  PAIR: 'ann:pa55word',
  TOKEN_ID: 'id-1',
  TOKEN_SECRET: 's',
};

async function sentBy(
  declaration: string | HttpDeclaration,
  args: Readonly<Record<string, unknown>>,
): Promise<Sent | undefined> {
  await using server = await startApi();
  const text = JSON.stringify(declaration).replaceAll('http://api', server.url);
  const handler = httpHandler(httpTool('x.y', JSON.parse(text)), env);
  expect(await handler.perform(args, attempt())).toEqual({ ok: true });
  return server.sent[0];
}

const variable = (name: string): string => `\${${name}}`;

test('parameters of path and query, constants, and a key that stands in the environment', async () => {
  const line = `GET http://api/{city}/now?units=metric&days={days?}&key=${variable('API_KEY')}`;
  expect(httpTool('x.y', line).spec).toMatchObject({
    effect: 'read',
    parameters: {
      properties: { city: { type: 'string' }, days: { type: 'string' } },
      required: ['city'],
    },
  });
  const sent = await sentBy(line, { city: 'São Paulo', days: '2' });
  expect(sent?.target).toBe('/S%C3%A3o%20Paulo/now?units=metric&days=2&key=key-0123456789');
  expect((await sentBy(line, { city: 'Rome' }))?.target).toBe(
    '/Rome/now?units=metric&key=key-0123456789',
  );
});

test('what the address lacks is the body; headers take variables and parameters', async () => {
  const sent = await sentBy(
    {
      request: 'POST http://api/notes?list={list}',
      parameters: { list: { type: 'string' }, text: { type: 'string' }, tags: { type: 'array' } },
      optional: ['tags'],
      headers: { 'X-Key': `Token ${variable('API_KEY')}`, 'X-Lang': '{language?}' },
    },
    { list: 'a', text: 'hello', language: 'fr' },
  );
  expect(sent).toMatchObject({ method: 'POST', target: '/notes?list=a', body: '{"text":"hello"}' });
  expect(sent?.headers).toMatchObject({ 'x-key': 'Token key-0123456789', 'x-lang': 'fr' });
});

test('forms, files, and a user with a password', async () => {
  const parameters = { name: { type: 'string' }, part: {} };
  const headers = { authorization: `Basic ${variable('PAIR')}` };
  const form = await sentBy(
    { request: 'POST http://api/f', parameters, body: 'form', headers },
    { name: 'a&b', part: ['x', 'y'] },
  );
  expect(form?.body).toBe('name=a%26b&part=x&part=y');
  expect(form?.headers.authorization).toBe(`Basic ${btoa('ann:pa55word')}`);
  const multipart = await sentBy(
    { request: 'POST http://api/f', parameters, body: 'multipart' },
    { name: 'a"b', part: new Uint8Array([104, 105]) },
  );
  expect(multipart?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=./);
  expect(multipart?.body).toMatch(/name="name"\r\n\r\na"b\r\n--.*filename="part".*\r\n\r\nhi\r\n/s);
});

test('a class that is declared holds: a search by POST is a read', () => {
  const { spec } = httpTool('x', { request: 'POST http://api/search', effect: 'read' });
  expect(spec).toMatchObject({ effect: 'read', idempotent: true, destructive: false });
  expect(httpTool('x', 'DELETE http://api/x').spec).toMatchObject({ destructive: true });
});

test.each([
  ['https://api.test/now', 'want a method and an address'],
  ['GET api.test/now', 'want a method and an address'],
  ['GET https://{host}/now', 'want a host without parameters'],
  ['GET https://ann:secret@api.test/', 'got an address with a password in it'],
  ['GET https://api.test/{id?}', 'what stands in a path cannot be left out'],
  ['GET https://api.test/?q=a{b}c', 'want name={parameter}'],
])('%s is refused', (line, wanted) => {
  expect(() => httpTool('x', line)).toThrow(BadTemplate);
  expect(() => httpTool('x', line)).toThrow(wanted);
});
