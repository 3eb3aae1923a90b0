/** What spans say, by the conventions of OpenTelemetry for generative AI where they have a name. */
import type { Attributes } from '@opentelemetry/api';
import type { Usage } from '../engine/handler.ts';
import type { ToolSpec } from '../program/effect.ts';

/** Of a call of a model, by its reference `provider/model`. */
export function modelAttributes(reference: string): Attributes {
  const [provider = '', ...rest] = reference.split('/');
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providers[provider] ?? provider,
    'gen_ai.request.model': rest.join('/'),
  };
}

/** Those whose name in the conventions is another. */
const providers: Readonly<Record<string, string>> = { google: 'gcp.gemini' };

export function toolAttributes({ name, kind }: ToolSpec, effect: string): Attributes {
  const operation = kind === 'retrieve' ? 'retrieval' : 'execute_tool';
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': effect,
  };
}

export function usageAttributes({ inputTokens, outputTokens, cost }: Usage): Attributes {
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cost !== undefined && { 'planvm.cost': cost }),
  };
}
