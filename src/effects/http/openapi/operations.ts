/**
 * The operations of an OpenAPI document as tools, `NAME.operationId`. One that cannot be read is
 * left out and told of: the others can be called all the same.
 */
import type { JsonSchema } from '../../../program/effect.ts';
import { matchesTool } from '../../../program/tool-names.ts';
import { isForm } from '../body.ts';
import {
  type Body,
  type Field,
  type HttpTool,
  type Member,
  parameterName,
  type Style,
  shownText,
  specOf,
} from '../operation.ts';
import {
  BadDocument,
  type Document,
  isObject,
  type Json,
  type JsonObject,
  type Located,
  resolved,
} from './document.ts';
import { schemaOf } from './schema.ts';
import { type AuthRules, waysOf } from './security.ts';

export interface OperationsOptions {
  /** The namespace of the tools. */
  readonly name: string;
  /** The address of the server, in place of those of the document. */
  readonly server?: string | undefined;
  readonly auth?: AuthRules | undefined;
  /** Sent with every request; `${NAME}` in them is a variable of the environment. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Which operations are tools: `pets.*`, by their names in the namespace. Default: all. */
  readonly allow?: readonly string[] | undefined;
}

export interface Operations {
  readonly tools: readonly HttpTool[];
  /** Of operations that are no tools: which, and why. */
  readonly problems: readonly string[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** Tools of one document. More are no help to whoever has to choose among them. */
const toolsMax = 400;
const descriptionMax = 1000;

/** Throws `BadDocument`. */
export function operationsOf(document: Document, options: OperationsOptions): Operations {
  const problems: string[] = [];
  const tools = new Map<string, HttpTool>();
  for (const entry of entriesOf(document, problems)) {
    const { method, path } = entry;
    const name = nameOf(entry, tools, options.name);
    const end = name.slice(options.name.length + 1);
    if (options.allow && !options.allow.some((pattern) => matchesTool(pattern, end))) continue;
    try {
      tools.set(name, toolOf(document, entry, name, options));
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      problems.push(`${method.toUpperCase()} ${path}: ${error.message}`);
    }
    if (tools.size > toolsMax) {
      throw new BadDocument(
        `it has more than ${toolsMax} operations`,
        'choose some of them: "allow": ["pets.*", "list*"] beside its source in the configuration',
      );
    }
  }
  if (tools.size === 0 && problems.length === 0) throw nothing(options);
  return { tools: [...tools.values()], problems };
}

function nothing({ allow }: OperationsOptions): BadDocument {
  if (!allow) return new BadDocument('it has no operations, want some in paths');
  return new BadDocument(`none of its operations is allowed by ${allow.join(', ')}`);
}

interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
  readonly item: JsonObject;
  /** The file that it stands in. */
  readonly at: string;
}

function* entriesOf(document: Document, problems: string[]): IterableIterator<Entry> {
  const { paths } = document.root;
  for (const [path, value] of isObject(paths) ? Object.entries(paths) : []) {
    let found: Located;
    try {
      found = resolved(document, { value, at: document.at });
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      problems.push(`${path}: ${error.message}`);
      continue;
    }
    const { value: item, at } = found;
    if (!isObject(item)) continue;
    for (const method of methods) {
      const operation = item[method];
      if (isObject(operation)) yield { path, method, operation, item, at };
    }
  }
}

/** By its id, else by method and path; the second of a name gets a number. */
function nameOf(
  { operation, method, path }: Entry,
  taken: ReadonlyMap<string, unknown>,
  space: string,
): string {
  const id = typeof operation.operationId === 'string' ? operation.operationId : '';
  // Those who group their operations write `issues/create`.
  const plain = (id === '' ? `${method} ${path}` : id.replaceAll('/', '.'))
    .replace(/[^\w.]+/g, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/^[_.]+|(?<![_.])[_.]+$/g, '')
    .slice(0, 80);
  const wanted = `${space}.${plain === '' ? method : plain}`;
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
  return name;
}

function toolOf(
  document: Document,
  entry: Entry,
  name: string,
  options: OperationsOptions,
): HttpTool {
  const { operation, item, path, at } = entry;
  const draft: Draft = { properties: {}, required: [], taken: new Set() };
  const fields: Field[] = [];
  let keyHeader: string | undefined;
  for (const found of parametersOf(document, item, operation, at)) {
    const { name: own, in: place } = found.value;
    const isHeader = place === 'header' && typeof own === 'string';
    if (isHeader && ignored.has(own.toLowerCase())) continue;
    if (isHeader && /^(x-)?idempotency-key$/i.test(own)) keyHeader = own.toLowerCase();
    else fields.push(fieldOf(document, found, draft));
  }
  const body = bodyFor(document, { value: operation.requestBody ?? null, at }, draft);
  const { properties, required } = draft;
  const method = entry.method.toUpperCase();
  const parameters: JsonSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  const returns = returnsOf(document, operation, at);
  const server = serverOf(document, entry, options);
  const url = `${server.replace(/(?<!\/)\/+$/, '')}${path}`;
  const lacking = [...path.matchAll(/\{([^{}]+)\}/g)].filter(
    ([, field]) => !fields.some((one) => one.in === 'path' && one.name === field),
  );
  if (lacking.length > 0) {
    throw new BadDocument(`the path parameter ${lacking[0]?.[1]} is declared nowhere`);
  }
  const given = Object.entries(options.headers ?? {});
  const headers = Object.fromEntries(given.map(([key, text]) => [key.toLowerCase(), text]));
  const credentials = waysOf(document, operation, options.name, options.auth ?? {});
  return {
    service: options.name,
    spec: specOf({
      ...{ name, method, parameters, returns, keyed: keyHeader !== undefined },
      ...{ credentials, headers },
      description: describedAs(operation, item, method, path),
    }),
    operation: {
      ...{ method, url, fields, headers },
      configured: options.server !== undefined || isNear(document, server),
      credentials,
      ...(body && { body }),
      ...(keyHeader !== undefined && { keyHeader }),
    },
  };
}

/** What the specification wants ignored: they follow from the rest. */
const ignored: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

function describedAs(
  { summary, description, deprecated }: JsonObject,
  item: JsonObject,
  method: string,
  path: string,
): string {
  const texts = [summary ?? item.summary, description ?? item.description]
    .filter((one): one is string => typeof one === 'string' && one.trim() !== '')
    .map((one) => shownText(one, descriptionMax).replace(/(?<![.!?…])$/, '.'));
  const said = texts[0] === texts[1] ? texts.slice(0, 1) : texts;
  return [...(deprecated === true ? ['Deprecated.'] : []), ...said, `${method} ${path}`].join(' ');
}

interface Draft {
  readonly properties: Record<string, JsonSchema>;
  readonly required: string[];
  readonly taken: Set<string>;
}

function add(draft: Draft, wanted: string, schema: JsonSchema, isRequired: boolean): string {
  const name = parameterName(wanted, draft.taken);
  draft.taken.add(name);
  draft.properties[name] = schema;
  if (isRequired) draft.required.push(name);
  return name;
}

interface FoundParameter {
  readonly value: JsonObject;
  readonly at: string;
}

/** Those of the path, and those of the operation in their place; what is required comes first. */
function parametersOf(
  document: Document,
  item: JsonObject,
  operation: JsonObject,
  at: string,
): FoundParameter[] {
  const byKey = new Map<string, FoundParameter>();
  for (const list of [item.parameters, operation.parameters]) {
    for (const value of Array.isArray(list) ? list : []) {
      const found = resolved(document, { value, at });
      if (!isObject(found.value)) throw new BadDocument('a parameter is no object');
      const { name, in: place } = found.value;
      byKey.set(`${String(place)} ${String(name)}`, { value: found.value, at: found.at });
    }
  }
  const isOptional = ({ value }: FoundParameter): number => Number(value.required !== true);
  return [...byKey.values()].sort((a, b) => isOptional(a) - isOptional(b));
}

const standards: Readonly<Record<Field['in'], Style>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

function fieldOf(document: Document, { value, at }: FoundParameter, draft: Draft): Field {
  const { name, in: place, style, explode, allowReserved, content, required, description } = value;
  if (typeof name !== 'string' || name === '') throw new BadDocument('a parameter has no name');
  if (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie') {
    throw new BadDocument(`the parameter ${name} stands in ${String(place)}`);
  }
  const media = isObject(content) ? Object.values(content)[0] : undefined;
  const given = isObject(media) ? media.schema : value.schema;
  const own = schemaOf({ value: given ?? {}, at }, { document, direction: 'request' });
  const about = typeof description === 'string' ? shownText(description, 300) : '';
  const schema = about === '' ? own : { ...own, description: about };
  const kept: Style = styles.find((one) => one === style) ?? standards[place];
  return {
    parameter: add(draft, name, schema, required === true || place === 'path'),
    ...{ name, in: place, style: kept },
    explode: typeof explode === 'boolean' ? explode : kept === 'form' || kept === 'deepObject',
    ...(isObject(content) && { json: true }),
    ...(allowReserved === true && { reserved: true }),
  };
}

const styles: readonly Style[] = [
  ...(['simple', 'label', 'matrix', 'form', 'spaceDelimited'] as const),
  ...(['pipeDelimited', 'deepObject'] as const),
];

/** Of the media types that a body may have, the one that programs write best. */
const preferred: readonly RegExp[] = [
  /^application\/json$/,
  /[/+]json\b/,
  /^application\/x-www-form-urlencoded$/,
  /^multipart\/form-data$/,
  /^text\/plain$/,
  /^text\//,
  /^application\/octet-stream$/,
];

/** An object of more members than this is one parameter. */
const membersMax = 40;

/** What is sent for a range of media types, which a request cannot have. */
function concreteMedia(range: string, { type, format }: JsonSchema): string {
  if (!range.includes('*')) return range;
  const [kind = '', part = ''] = range.split('/');
  if (part.endsWith('+json')) return 'application/json';
  if (part.endsWith('+xml')) return kind === 'text' ? 'text/xml' : 'application/xml';
  if (kind === 'text') return 'text/plain';
  if (kind === 'multipart') return 'multipart/form-data';
  const isText = [type].flat().includes('string');
  if (kind !== '*' && kind !== 'application') return 'application/octet-stream';
  if (!isText) return 'application/json';
  return format === 'binary' ? 'application/octet-stream' : 'text/plain';
}

function bodyFor(document: Document, given: Located, draft: Draft): Body | undefined {
  if (given.value === null) return undefined;
  const { value, at } = resolved(document, given);
  if (!isObject(value) || !isObject(value.content)) return undefined;
  const medias = Object.keys(value.content);
  const media = preferred.map((one) => medias.find((name) => one.test(name))).find(Boolean);
  const name = media ?? medias[0];
  if (name === undefined) return undefined;
  const chosen = value.content[name];
  const raw: Json = isObject(chosen) ? (chosen.schema ?? {}) : {};
  const schema = schemaOf({ value: raw, at }, { document, direction: 'request' });
  const plain = concreteMedia(name.split(';', 1)[0]?.trim().toLowerCase() ?? name, schema);
  const isRequired = value.required === true;
  const members = membersOf(schema, draft, isRequired);
  if (members && (/[/+]json$/.test(plain) || isForm(plain))) {
    return { media: plain, from: { kind: 'members', members } };
  }
  const text = typeof value.description === 'string' ? shownText(value.description, 300) : '';
  const own = text === '' ? schema : { description: text, ...schema };
  const parameter = add(draft, 'body', own, isRequired);
  return { media: plain, from: { kind: 'whole', parameter } };
}

/** The members as parameters, where the body is an object that says all of its own. */
function membersOf(schema: JsonSchema, draft: Draft, isRequired: boolean): Member[] | undefined {
  const { properties = {}, required = [], additionalProperties, anyOf, type } = schema;
  const entries = Object.entries(properties);
  const isPlain = type === 'object' && !anyOf && typeof additionalProperties !== 'object';
  const fits = entries.length > 0 && entries.length <= membersMax;
  const isFree = entries.every(([name]) => !draft.taken.has(parameterName(name, new Set())));
  if (!isPlain || !fits || !isFree || (!isRequired && required.length > 0)) return undefined;
  const isOptional = ([name]: [string, JsonSchema]): number => Number(!required.includes(name));
  return entries
    .sort((a, b) => isOptional(a) - isOptional(b))
    .map(([name, own]) => ({
      parameter: add(draft, name, own, required.includes(name)),
      name,
      ...(own.format === 'binary' && { file: true as const }),
    }));
}

/** What the first answer that is a success holds, where that is JSON. */
function returnsOf(document: Document, operation: JsonObject, at: string): JsonSchema | undefined {
  const { responses } = operation;
  if (!isObject(responses)) return undefined;
  const status = Object.keys(responses)
    .filter((key) => /^2(\d\d|XX)$/i.test(key))
    .sort()[0];
  const value = status === undefined ? undefined : responses[status];
  if (value === undefined) return undefined;
  const found = resolved(document, { value, at });
  const content = isObject(found.value) ? found.value.content : undefined;
  if (!isObject(content)) return undefined;
  const media = Object.entries(content).find(([name]) => /[/+]json\b/.test(name))?.[1];
  if (!isObject(media) || media.schema === undefined) return undefined;
  const made = schemaOf({ value: media.schema, at: found.at }, { document, direction: 'response' });
  return Object.keys(made).length > 0 ? made : undefined;
}

/** Whether a server is where its document is from, or the document is of this machine. */
const isNear = ({ at }: Document, server: string): boolean =>
  at.startsWith('file:') || new URL(at).origin === new URL(server).origin;

/** The address of the server of an operation, with the defaults of its variables. */
function serverOf(document: Document, { operation, item }: Entry, options: OperationsOptions) {
  if (options.server !== undefined) return options.server;
  const lists = [operation.servers, item.servers, document.root.servers];
  const server = lists.flatMap((list) => (Array.isArray(list) ? list : [])).find(isObject);
  const template = typeof server?.url === 'string' ? server.url : '/';
  const variables = isObject(server?.variables) ? server.variables : {};
  const text = template.replace(/\{([^{}]+)\}/g, (all, name) => {
    const variable = variables[name];
    return isObject(variable) ? String(variable.default ?? all) : all;
  });
  const url = URL.parse(text, document.at);
  if (url && /^https?:$/.test(url.protocol) && url.username === '') return url.href;
  throw new BadDocument(
    `its server ${template} is no address of HTTP`,
    `say where it is: "server": "https://…" beside its source in the configuration`,
  );
}
