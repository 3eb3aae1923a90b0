/** Where model references lead, and what is said of those that lead nowhere. */
import { expect, test } from 'vitest';
import { endpointOf, redact } from '../../../src/effects/model/endpoint.ts';

test.each([
  ['openai/gpt-5', { OPENAI_API_KEY: 'k' }, 'https://api.openai.com/v1'],
  ['openai/a/b:c', { OPENAI_BASE_URL: 'http://gpu:8000/v1/' }, 'http://gpu:8000/v1'],
  ['openai/x', { OPENAI_BASE_URL: 'http://gpu/openai' }, 'http://gpu/openai'],
  ['openai/x', { OPENAI_BASE_URL: ' ', OPENAI_API_KEY: 'k' }, 'https://api.openai.com/v1'],
  ['anthropic/claude', { ANTHROPIC_API_KEY: 'k' }, 'https://api.anthropic.com/v1'],
  [
    'anthropic/claude',
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://proxy/anthropic' },
    'http://proxy/anthropic/v1',
  ],
  [
    'anthropic/claude',
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://proxy/v1' },
    'http://proxy/v1',
  ],
  ['google/gemini', { GEMINI_API_KEY: 'k' }, 'https://generativelanguage.googleapis.com/v1beta'],
  [
    'google/gemini',
    { GOOGLE_GENERATIVE_AI_API_KEY: 'k', GOOGLE_BASE_URL: 'http://proxy/v1' },
    'http://proxy/v1',
  ],
  ['ollama/llama3.2', {}, 'http://127.0.0.1:11434/v1'],
  ['ollama/llama3.2', { OLLAMA_HOST: '0.0.0.0' }, 'http://127.0.0.1:11434/v1'],
  ['ollama/llama3.2', { OLLAMA_HOST: 'gpu' }, 'http://gpu:11434/v1'],
  ['ollama/llama3.2', { OLLAMA_HOST: 'gpu:9000' }, 'http://gpu:9000/v1'],
  ['ollama/llama3.2', { OLLAMA_HOST: ':9000' }, 'http://127.0.0.1:9000/v1'],
  ['ollama/llama3.2', { OLLAMA_HOST: '[::1]:9000' }, 'http://[::1]:9000/v1'],
  ['ollama/llama3.2', { OLLAMA_HOST: 'https://gpu/ollama/' }, 'https://gpu/ollama/v1'],
])('%s with %j leads to %s', (reference, env, baseUrl) => {
  const endpoint = endpointOf(reference, env);
  expect(endpoint.baseUrl).toBe(baseUrl);
  expect(endpoint.model).toBe(reference.slice(reference.indexOf('/') + 1));
});

test('the first key variable that is set counts', () => {
  const both = { GEMINI_API_KEY: 'second', GOOGLE_GENERATIVE_AI_API_KEY: 'first' };
  expect(endpointOf('google/g', both)).toMatchObject({
    key: 'first',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
  });
  expect(endpointOf('google/g', { GEMINI_API_KEY: 'second' }).key).toBe('second');
});

test.each([
  ['gpt-5', {}, 'PV4100', "got model 'gpt-5', want provider/model", 'openai/'],
  ['openai/', {}, 'PV4100', 'want provider/model', 'openai/'],
  ['/gpt-5', {}, 'PV4100', 'want provider/model', 'openai/'],
  ['opnai/gpt-5', {}, 'PV4100', "no provider 'opnai'", 'did you mean openai/'],
  ['zzz/gpt-5', {}, 'PV4100', "no provider 'zzz'", 'anthropic'],
  ['constructor/x', {}, 'PV4100', "no provider 'constructor'", 'openai'],
  ['openai/gpt-5', {}, 'PV4101', 'OPENAI_API_KEY is not set', '.env'],
  ['anthropic/claude', { ANTHROPIC_API_KEY: ' ' }, 'PV4101', 'ANTHROPIC_API_KEY', '.env'],
  ['google/g', {}, 'PV4101', 'GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY', '.env'],
  ['openai/x', { OPENAI_BASE_URL: 'ftp://x' }, 'PV4100', 'OPENAI_BASE_URL', 'https://'],
  ['openai/x', { OPENAI_BASE_URL: 'localhost' }, 'PV4100', 'OPENAI_BASE_URL', 'https://'],
])('%s with %j is refused: %s', (reference, env, code, message, hint) => {
  expect(() => endpointOf(reference, env)).toThrow(
    expect.objectContaining({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    }),
  );
});

test('a password in an address is refused and not shown', () => {
  const env = { OPENAI_BASE_URL: 'http://me:hunter2@gpu/v1' };
  expect(() => endpointOf('openai/x', env)).toThrow(/holds a user name or password/);
  expect(() => endpointOf('openai/x', env)).not.toThrow(/hunter2/);
});

test('keys are blacked out, and placeholders of a few letters leave the text as it is', () => {
  expect(redact('the key sk-12345 is wrong', ['sk-12345', 'k', undefined])).toBe(
    'the key *** is wrong',
  );
});
