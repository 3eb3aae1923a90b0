/**
 * The text of a document of a filing. It may be of many megabytes: that is done apart, where it can
 * be ended.
 */
import { refusal } from '../../engine/handler.ts';
import { apart, threadBeside } from '../apart/apart.ts';
import { decodeAnswer } from '../files/charset.ts';
import type { Answer } from '../web/request.ts';

const memoryBytes: number = 2048 * 2 ** 20;

/** Throws `EffectFailure` PV4764, PV4901, PV4902. */
export async function filingText(
  { bytes, headers, url }: Pick<Answer, 'bytes' | 'headers' | 'url'>,
  signal: AbortSignal,
): Promise<string> {
  const head = Buffer.from(bytes.subarray(0, 5)).toString('latin1');
  if (head === '%PDF-' || /\.(pdf|jpe?g|gif|png|zip|xlsx?)$/i.test(url.pathname)) {
    throw refusal('PV4764', `${url.href} is no text`, {
      hint: 'read it by download(url), where that is among the tools',
    });
  }
  const { text } = decodeAnswer(bytes, headers['content-type'] ?? '');
  const found = mainDocument(text);
  if (!/<(html|body|div|p|font|tr)\b/i.test(found.slice(0, 20_000))) return tidied(found);
  return await apart<string, string>(threadBeside(import.meta.url), found, {
    ...{ signal, what: 'the filing', memoryBytes },
  });
}

/** Of a submission in one file the first document, which is the form itself. */
function mainDocument(text: string): string {
  const start = /<TEXT>/i.exec(text.slice(0, 100_000));
  if (!start || !/<(SEC-DOCUMENT|DOCUMENT|SEC-HEADER)>/i.test(text.slice(0, 5000))) return text;
  const from = start.index + start[0].length;
  const end = text.indexOf('</TEXT>', from);
  return text.slice(from, end < 0 ? undefined : end);
}

/** Old filings are texts with marks of pages and tables. */
const tidied = (text: string): string =>
  text
    .replace(/<\/?(PAGE|S|C|TABLE|CAPTION|FN|F\d+)>/g, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
