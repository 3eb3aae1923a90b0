/** Declarations of the tools that use a browser, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { closed, flag, optional, record, text } from '../tool/fields.ts';
import { addressParameter, amount, downloadSpec, extent } from '../web/specs.ts';

export const openPageSpec: ToolSpec = toolSpec({
  name: 'open_page',
  aliases: ['get_url_firefox', 'WebHelpers.get_url_firefox', 'get_url_chromium'],
  description:
    'Opens a page in a browser and returns its text as Markdown, as download does: for pages ' +
    'that make their content by scripts, or that want a person who is signed in. Slower.',
  kind: 'retrieve',
  effect: 'read',
  parameters: closed({
    url: addressParameter('An address, "https://example.com/page".'),
    wait: optional(
      text('A CSS selector of what has to be there before the page is read.', { maxLength: 500 }),
    ),
    ...extent,
    ...amount,
  }),
  ...(downloadSpec.returns && { returns: downloadSpec.returns }),
  limits: { timeoutMs: 90_000, concurrency: 2 },
});

const value: JsonSchema = {
  type: ['string', 'object'],
  description: 'A text, or {"env": "NAME"}: a secret that a person has allowed for the site.',
};

const step: JsonSchema = closed({
  goto: optional(text('Opens an address.')),
  fill: optional(text('A CSS selector of a field; what is filled in stands in "with".')),
  select: optional(text('A CSS selector of a list; what is chosen stands in "with".')),
  with: optional(value),
  click: optional(text('A CSS selector of what is clicked.')),
  check: optional(text('A CSS selector of a box that is ticked.')),
  press: optional(text('A key: "Enter".')),
  wait: optional({ type: ['string', 'integer'], description: 'A CSS selector, or milliseconds.' }),
  extract: optional(text('A CSS selector of what is returned, under "name".')),
  name: optional(text('What it goes by in the result.')),
  all: optional(flag('All elements that fit, as a list.')),
  attribute: optional(text('Of an element, this instead of its text: "href".')),
  as: optional(
    text('markdown: the whole page, as { text, title, url }.', { enum: ['text', 'markdown'] }),
  ),
});

export const browseSpec: ToolSpec = toolSpec({
  name: 'browse',
  aliases: ['WebHelpers.browse'],
  description:
    'Does something in a browser, step by step: sign in, do, extract, sign out. Returns { ' +
    'url, title, session, extracted }. Later calls of a run go on in the same browser, where ' +
    'the one before has left it; session says whether it is new. Each step has one of goto, ' +
    'fill, select, click, check, press, wait, extract. Steps may change ' +
    'something; passwords are filled in by reference.',
  kind: 'tool',
  effect: 'write',
  // What it clicks on nobody knows beforehand: it may buy, send or delete.
  destructive: true,
  parameters: closed({
    steps: { type: 'array', items: step, minItems: 1, maxItems: 100 },
    finally: optional({
      ...{ type: 'array', items: step, maxItems: 20 },
      description: 'Steps that are taken in any case at the end: signing out.',
    }),
  }),
  returns: record({
    url: text('Where the browser was at the end.'),
    title: text('Of that page.'),
    session: {
      enum: ['new', 'continued'],
      description: 'new: nothing that a call before has done in a browser, such as signing in.',
    },
    extracted: { type: 'object', description: 'By name, a text or a list of texts.' },
  }),
  limits: { timeoutMs: 180_000, concurrency: 1 },
});
