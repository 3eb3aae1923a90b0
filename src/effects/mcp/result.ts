/** What a server answers, as a program has it: data, with what is large beside it in a file. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client';
import { type AttemptContext, refusal } from '../../engine/handler.ts';
import { defined } from '../foreign-json.ts';
import { said } from './failure.ts';

export interface ResultParts {
  /** The tool, for messages. */
  readonly tool: string;
  /** Where pictures and sounds are put that are too large for a program. */
  readonly folder: string;
  readonly context: Pick<AttemptContext, 'warn' | 'source'>;
}

/** Characters of base64 that a result holds itself. */
const inlineMax: number = 256 * 1024;

/**
 * Structured content as it is; else the one part that there is, a text as itself; else a list of
 * the parts. Throws `EffectFailure` PV4806 where the tool says that it failed.
 */
export function callValue(result: CallToolResult, parts: ResultParts): unknown {
  const { content = [], structuredContent, isError } = result;
  if (isError) {
    const why = said(textsIn(content).join('\n')) || 'it does not say why';
    throw refusal('PV4806', `${parts.tool}: ${why}`);
  }
  if (structuredContent === undefined) {
    const values = content.map((part) => partOf(part, parts));
    return values.length === 1 ? values[0] : values;
  }
  const beside = content.filter(({ type }) => type !== 'text');
  if (beside.length > 0) {
    const kinds = beside.map(({ type }) => type).join(', ');
    parts.context.warn(`${parts.tool} returned data and, beside it, ${kinds}: left out`);
  }
  return structuredContent;
}

const textsIn = (content: readonly ContentBlock[]): readonly string[] =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : []));

function partOf(part: ContentBlock, parts: ResultParts): unknown {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return { type: part.type, ...blobOf(part.data, part.mimeType, parts) };
    case 'resource_link': {
      const { uri, name, title, description, mimeType } = part;
      parts.context.source({ url: uri, title: title ?? name });
      return defined({ type: 'resource_link', uri, name, description, mimeType });
    }
    case 'resource':
      return { type: 'resource', ...contentsOf(part.resource, parts) };
  }
}

type Contents = ReadResourceResult['contents'][number];

function contentsOf(contents: Contents, parts: ResultParts): Record<string, unknown> {
  const { uri, mimeType } = contents;
  parts.context.source({ url: uri });
  if ('text' in contents) return defined({ uri, mimeType, text: contents.text });
  return { uri, ...blobOf(contents.blob, mimeType, parts) };
}

/** `data` is base64; in its place `file`, where that is large. */
function blobOf(
  data: string,
  mimeType: string | undefined,
  { folder }: ResultParts,
): Record<string, unknown> {
  const bytes = Math.floor((data.replace(/(?<!=)=+$/, '').length * 3) / 4);
  if (data.length <= inlineMax) return defined({ mimeType, bytes, data });
  const sha256 = createHash('sha256').update(data).digest('hex');
  const file = join(folder, `${sha256.slice(0, 32)}${endingOf(mimeType)}`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, Buffer.from(data, 'base64'));
  }
  return defined({ mimeType, bytes, file });
}

const endingOf = (mimeType: string | undefined): string => {
  const kind = /^[a-z]+\/([a-z0-9]+)/.exec(mimeType ?? '')?.[1];
  return kind === undefined ? '.bin' : `.${kind}`;
};

/** The one that was asked for, or a list where it has several. */
export function resourceValue({ contents }: ReadResourceResult, parts: ResultParts): unknown {
  const values = contents.map((one) => contentsOf(one, parts));
  return values.length === 1 ? values[0] : values;
}

export function promptValue(
  { description, messages }: GetPromptResult,
  parts: ResultParts,
): unknown {
  return defined({
    description,
    messages: messages.map(({ role, content }) => ({ role, content: partOf(content, parts) })),
  });
}
