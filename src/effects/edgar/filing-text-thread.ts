/** The thread that reads a document of a filing for `filingText`. */
import { serve } from '../apart/serve.ts';
import { boundedHtml } from '../web/page/bounds.ts';
import { pageParser } from '../web/page/dom.ts';
import { dropUnseen, withoutUnseenCharacters } from '../web/page/unseen.ts';
import { plainText } from './plain.ts';

/** A filing is read whole. Deep levels are made flat: parsing takes the square of the depth. */
const bounds = { characters: Infinity, marks: Infinity, depth: 1_000 };

serve<string>(async (html) => {
  const documentOf = await pageParser();
  const document = documentOf(boundedHtml(html, bounds).html);
  // What machines read of a filing stands in it a second time, hidden.
  dropUnseen(document);
  return withoutUnseenCharacters(plainText(document.body));
});
