/** The model of a server on this machine: one in the OpenAI format, or Ollama. */
import { EffectFailure } from '../../engine/handler.ts';
import { boundedBody } from '../bounded-body.ts';
import { type Environment, endpointOf } from './endpoint.ts';

/**
 * The first model that the server of `OPENAI_BASE_URL` offers, where that is on this machine, and
 * otherwise Ollama's. Throws `EffectFailure` PV4107 where it does not answer, PV4103 where it has
 * no model.
 */
export async function localModel(env: Environment, signal: AbortSignal): Promise<string> {
  const openai = endpointOf('openai/any', { OPENAI_API_KEY: 'unused', ...env });
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(openai.baseUrl).hostname);
  const { provider, baseUrl, baseVariable } = isLocal ? openai : endpointOf('ollama/any', env);
  const hint = 'start a model server, or let OPENAI_BASE_URL or OLLAMA_HOST name its address';
  const models = await modelsAt(`${baseUrl}/models`, signal).catch((cause: unknown) => {
    throw new EffectFailure('PV4107', `no model server answers at ${baseUrl}`, { hint, cause });
  });
  const [first] = models;
  if (first !== undefined) return `${provider}/${first}`;
  throw new EffectFailure('PV4103', `the server at ${baseUrl} offers no model`, {
    hint: `load one there, or name one: /local MODEL (${baseVariable})`,
  });
}

/** Of a list of models. */
const listBytesMax = 8 * 2 ** 20;

async function modelsAt(url: string, signal: AbortSignal): Promise<readonly string[]> {
  const tooLarge = () => new Error(`it answered with more than ${listBytesMax} bytes`);
  const response = boundedBody(await fetch(url, { signal }), listBytesMax, tooLarge);
  if (!response.ok) throw new Error(`got the status ${response.status}`);
  const { data } = Object(await response.json());
  const ids = Array.isArray(data) ? data.map((model) => Object(model).id) : [];
  return ids.filter((id) => typeof id === 'string');
}
