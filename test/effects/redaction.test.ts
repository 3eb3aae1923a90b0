/** Secrets of the environment in whatever a tool gives back. */
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { guarded, redacted, redactionOf } from '../../src/effects/redaction.ts';
import { SecretParts } from '../../src/effects/secret-parts.ts';
import { type AttemptContext, EffectFailure, type Handler } from '../../src/engine/handler.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { fromJson, GuestValue } from '../../src/program/json.ts';
import { attempt } from '../support/attempt.ts';

const env = { API_TOKEN: 'tok-123456', DB_PASSWORD: 'password', SHORT_KEY: 'a1', HOME: '/srv/x1' };
const redaction = redactionOf(env);

/** What a guarded tool says with each of its voices. */
async function heard(perform: Handler['perform']): Promise<unknown[]> {
  const said: unknown[] = [];
  const context: AttemptContext = {
    ...attempt(),
    progress: (text) => said.push(text),
    part: (value) => said.push(value),
    warn: (message) => said.push(message),
  };
  const spec = toolSpec({ name: 't', description: 'T.' });
  const answer = guarded({ spec, perform }, redaction).perform({}, context);
  const end = await answer.catch((error: unknown) => error);
  return [...said, end];
}

test('what a tool says of itself loses them, too', () => {
  const properties = { q: { type: 'string', description: 'as tok-123456 says' } };
  const parameters = { type: 'object', properties };
  const spec = toolSpec({ name: 't', description: 'Bearer tok-123456.', parameters });
  const { spec: shown } = guarded({ spec, perform: async () => null }, redaction);
  expect(JSON.stringify(shown)).not.toContain('tok-123456');
  expect(shown).toMatchObject({ name: 't', description: 'Bearer ***.' });
  const plain = toolSpec({ name: 't', description: 'T.' });
  expect(guarded({ spec: plain, perform: async () => null }, redaction).spec).toBe(plain);
});

test('a secret is found as services repeat it, and in an address with a login', () => {
  const { redact, sourceIn } = redactionOf({
    API_KEY: 'p/ss w:rd+1',
    SMTP_URL: 'smtps://ada:Tr0ub4dor%213@mail.example.org',
    HOME_URL: 'https://ada:short@example.org',
  });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  for (const form of ['p/ss w:rd+1', 'p%2Fss%20w%3Ard%2B1', base64('p/ss w:rd+1')]) {
    expect(redact(`?key=${form}&x=1`)).toBe('?key=***&x=1');
  }
  for (const form of ['Tr0ub4dor%213', 'Tr0ub4dor!3', base64('Tr0ub4dor%213')]) {
    expect(redact(`535 ${form}`)).toBe('535 ***');
  }
  expect(sourceIn('Tr0ub4dor!3')).toBe('SMTP_URL');
  expect(redact('in short')).toBe('in short');
});

describe('a secret with characters that texts escape', () => {
  const secret = '-----BEGIN KEY-----\nAb"c/d+e\\f <g>&\th é9\r\n-----END KEY-----';
  const { redact } = redactionOf({ TLS_KEY: secret });
  const json = JSON.stringify(secret);
  const forms: Readonly<Record<string, string>> = {
    json,
    'JSON in JSON': JSON.stringify(JSON.stringify({ key: secret })),
    'JSON in JSON in JSON': JSON.stringify(JSON.stringify(json)),
    'JSON of PHP': json.replaceAll('/', '\\/').replace('é', '\\u00e9'),
    'JSON of Go': json.replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
    'an address': encodeURIComponent(secret),
    'an address in lower case': encodeURIComponent(secret).replace(/%../g, (c) => c.toLowerCase()),
    'JSON in an address': encodeURIComponent(JSON.stringify({ key: secret })),
    'JSON in an address in JSON': JSON.stringify(encodeURIComponent(encodeURIComponent(json))),
    hex: Buffer.from(secret).toString('hex'),
    'hex in capitals': Buffer.from(json).toString('hex').toUpperCase(),
    'an address in an address': encodeURIComponent(encodeURIComponent(secret)),
    'a form': new URLSearchParams({ key: secret }).toString(),
    HTML: secret.replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`),
    'other ends of lines': secret.replaceAll('\r\n', '\n'),
  };

  test.each(Object.entries(forms))('is found in %s', (_, form) => {
    const clean = redact(`before ${form} after`);
    expect(clean).toMatch(/^before .*\*\*\*.* after$/s);
    expect(clean).not.toMatch(/Ab|END|4162|2d2d2d|2D2D2D/);
  });

  test('is found with real ends of lines where the environment has them escaped', () => {
    const clean = redactionOf({ TLS_KEY: secret.replaceAll('\n', '\\n') }).redact(`a ${secret} b`);
    expect(clean).toBe('a *** b');
  });
});

test.each([
  'tok-123456+/=?',
  '0123456789abcdef',
  '{"private_key": "-----BEGIN\\nAb+/c"}',
  'sk-ÿþýüûúù9A',
])('the base64 of anything that holds %s has none of it', (secret) => {
  const { redact } = redactionOf({ A_KEY: secret });
  for (const text of [secret, JSON.stringify({ key: secret })]) {
    for (const login of ['', 'a', 'an', 'ann', 'anna:']) {
      for (const end of ['', '!', '!!', '!!!']) {
        for (const encoding of ['base64', 'base64url'] as const) {
          const clean = redact(`Basic ${Buffer.from(login + text + end).toString(encoding)}.`);
          const left = clean.replace('Basic ', '').replace('.', '').split('***');
          expect(left).toHaveLength(2);
          // What is left decodes to what stood around it, and to no more.
          const around = Math.ceil(((login.length + end.length + 10) * 4) / 3) + 4;
          expect(left.join('').length).toBeLessThan(around);
          expect(Buffer.from(left.join(''), 'base64').toString('latin1')).not.toContain(
            Buffer.from(secret).toString('latin1').slice(3, 8),
          );
        }
      }
    }
  }
});

describe('a secret that parts of a stream cut', () => {
  const long = 'sk-live-"0123456789"';
  const { texts } = redactionOf({ API_KEY: long });
  const streamed = async (parts: readonly unknown[]): Promise<unknown[]> => {
    const said: unknown[] = [];
    const spec = toolSpec({ name: 't', description: 'T.' });
    const perform: Handler['perform'] = async (_, context) => {
      for (const part of parts) context.part(part);
      return parts;
    };
    const context = { ...attempt(), part: (value: unknown) => said.push(value) };
    const handler = guarded({ spec, perform }, redactionOf({ API_KEY: long }));
    const result = await handler.perform({}, context);
    expect(result).toEqual(said);
    return said;
  };

  test('is taken out of both, wherever they cut it', async () => {
    for (let at = 1; at < long.length; at++) {
      const said = await streamed([`a ${long.slice(0, at)}`, `${long.slice(at)} b`]);
      expect(said.length).toBe(2);
      const left = said.join('');
      expect([`a ${long.slice(0, Math.min(at, 3))}*** b`, 'a *** b']).toContain(left);
    }
  });

  test('is taken out of parts of one character, twice', async () => {
    const said = await streamed([...`a ${long}${long} b`]);
    expect(said).toHaveLength(long.length * 2 + 4);
    expect(said.join('')).toMatch(/^a (sk-)?\*\*\*(sk-)?\*\*\* b$/);
  });

  test('is taken out of fields of objects, and in the form of JSON', async () => {
    const form = JSON.stringify(long);
    const said = await streamed([
      { kind: 'text', text: form.slice(0, 11) },
      { kind: 'text', text: form.slice(11) },
    ]);
    expect(said).toEqual([
      { kind: 'text', text: '"***' },
      { kind: 'text', text: '"' },
    ]);
  });

  test('changes no parts that only look like its beginning', async () => {
    const parts = ['sk-live', '-no', 'sk-li', { a: 'sk-live-' }, 7, 'end sk-live-'];
    expect(await streamed(parts)).toEqual(parts);
    expect(texts[0]?.length).toBeGreaterThan(8);
  });

  test('holds a part back only as long as the next may complete a secret', () => {
    const said: unknown[] = [];
    const parts = new SecretParts(texts, (part) => said.push(part));
    parts.add('nothing');
    expect(said).toEqual(['nothing']);
    parts.add('a sk-live-');
    expect(said).toEqual(['nothing']);
    parts.add('no');
    expect(said).toEqual(['nothing', 'a sk-live-', 'no']);
  });
});

test('an error that was cut within a secret holds no beginning of it', async () => {
  const whole = redactionOf({ API_KEY: 'sk-live-0123456789-abcdefgh' });
  const failing = (message: string): Handler => ({
    spec: toolSpec({ name: 't', description: 'T.' }),
    perform: async () => {
      throw new EffectFailure('PV4702', message, { hint: message, answered: true });
    },
  });
  const said = async (message: string): Promise<unknown> => {
    const perform = guarded(failing(message), whole).perform({}, attempt());
    return await perform.catch((error: EffectFailure) => [error.message, error.hint]);
  };
  const cut = 'refused ?key=sk-live-0123456789-a… and sk-live-0123456789-';
  expect(await said(cut)).toEqual(['refused ?key=***… and ***', 'refused ?key=***… and ***']);
  expect(await said('keys begin with sk-live-')).toEqual(Array(2).fill('keys begin with sk-live-'));
});

describe('what a tool gives back', () => {
  test('loses secrets in texts, lists, objects, keys, parts, progress and warnings', async () => {
    const bytes = new Uint8Array([1]);
    const said = await heard(async (_args, context) => {
      context.progress('with tok-123456');
      context.part(['tok-123456']);
      context.warn('sent tok-123456!');
      return { a: ['x tok-123456 y', 1], 'tok-123456': null, bytes };
    });
    expect(said).toEqual([
      'with ***',
      ['***'],
      'sent ***!',
      { a: ['x *** y', 1], '***': null, bytes },
    ]);
  });

  test.each<[string, unknown, unknown]>([
    ['an address', new URL('https://a.example/?k=tok-123456'), 'https://a.example/?k=***'],
    ['an object with toJSON', { a: { toJSON: () => ['tok-123456'] } }, { a: ['***'] }],
    ['bytes', Buffer.from('a tok-123456'), new Uint8Array(Buffer.from('a ***'))],
    [
      'bytes that are no text',
      new Uint8Array([255, ...Buffer.from('tok-123456'), 254]),
      new Uint8Array([255, ...Buffer.from('***'), 254]),
    ],
    [
      'an object of another realm',
      runInNewContext(
        '({ a: ["tok-123456"], b: Object.assign(Object.create(null), { c: "tok-123456" }) })',
      ),
      { a: ['***'], b: { c: '***' } },
    ],
    [
      'values of the machine',
      new GuestValue(fromJson({ id: 12345678901234567890n, 'tok-123456': [1.5, 'a tok-123456'] })),
      new GuestValue(fromJson({ id: 12345678901234567890n, '***': [1.5, 'a ***'] })),
    ],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('loses them in what becomes data: %s', async (_, given, got) => {
    expect(await heard(async () => given)).toEqual([got]);
  });

  test('loses a secret beyond ASCII in bytes', async () => {
    const { redact } = redactionOf({ API_KEY: 'tok-äöü-123' });
    const clean = redacted(new Uint8Array(Buffer.from('is tok-äöü-123')), redact);
    expect(Buffer.from(clean).toString()).toBe('is ***');
  });

  test('stays the very same data where it has none', async () => {
    const data = { a: [1, { b: 'text' }] };
    const [end] = await heard(async () => data);
    expect(end).toBe(data);
  });

  test('loses them in errors of any kind', async () => {
    const [failure] = await heard(async () => {
      throw new EffectFailure('PV4999', 'no tok-123456', {
        hint: 'not tok-123456',
        answered: true,
      });
    });
    expect(failure).toMatchObject({ message: 'no ***', hint: 'not ***', answered: true });
    const [error] = await heard(async () => {
      throw new TypeError('no tok-123456');
    });
    expect(error).toMatchObject({ name: 'TypeError', message: 'no ***' });
    const named = await heard(() =>
      Promise.reject(Object.assign(new Error('no'), { name: 'tok-123456' })),
    );
    expect(named).toMatchObject([{ name: '***', message: 'no' }]);
    expect(await heard(() => Promise.reject('tok-123456'))).toEqual(['***']);
  });

  test('loses them in objects that are thrown', async () => {
    const quoted = redactionOf({ API_KEY: 'tok-12"tail-345' });
    const spec = toolSpec({ name: 't', description: 'T.' });
    const perform = async (): Promise<never> => {
      throw { status: 403, body: { key: 'tok-12"tail-345' } };
    };
    const thrown = guarded({ spec, perform }, quoted).perform({}, attempt());
    expect(await thrown.catch(String)).toBe('{"status":403,"body":{"key":"***"}}');
  });
});

describe('what counts as a secret', () => {
  test('is the value of a variable named so, unless any text may hold it', () => {
    expect(redaction.redact('tok-123456 password a1 /srv/x1')).toBe('*** password a1 /srv/x1');
    expect(redaction.sourceIn('x tok-123456')).toBe('API_TOKEN');
    expect(redaction.sourceIn('password')).toBeUndefined();
  });

  test('is what the rules add, and not what they keep', () => {
    const rules = { variables: ['DB_*'], patterns: ['sk-[a-z]+'], keep: ['API_TOKEN'] };
    const { redact, sourceIn } = redactionOf(env, rules);
    expect(redact('tok-123456 password sk-abc')).toBe('tok-123456 *** ***');
    expect(sourceIn('sk-abc')).toBe('the pattern sk-[a-z]+');
  });

  test('of two, the longer one goes first', () => {
    const { redact } = redactionOf({ A_KEY: 'abc-1234', B_KEY: 'abc-123456' });
    expect(redact('abc-123456')).toBe('***');
  });

  test('without any, a tool is what it was', () => {
    const handler: Handler = {
      spec: toolSpec({ name: 't', description: 'T.' }),
      perform: async () => 1,
    };
    expect(guarded(handler, redactionOf({ PATH: '/usr/bin' }))).toBe(handler);
  });
});
