/** The thread that reads a document of a filing for `filingText`. */
import { serve } from '../apart/serve.ts';
import { pageParser } from '../web/page/dom.ts';
import { dropUnseen, withoutUnseenCharacters } from '../web/page/unseen.ts';
import { plainText } from './plain.ts';

serve<string>(async (html) => {
  const documentOf = await pageParser();
  const document = documentOf(html);
  // What machines read of a filing stands in it a second time, hidden.
  dropUnseen(document);
  return withoutUnseenCharacters(plainText(document.body));
});
