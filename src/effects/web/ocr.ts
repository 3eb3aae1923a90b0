/**
 * Text of scanned pages, by a program of the user's own: it gets the PDF file, and gives back a PDF
 * file with text, as `ocrmypdf` does, or the text itself, with a form feed behind each page. It is
 * named by a person, never by a program, and knows none of the environment's keys.
 */
import { spawn } from 'node:child_process';
import { EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { isPdf, type PdfPage } from '../pdf/pdf.ts';

/** Of what the program gives back. */
const outputBytesMax: number = 256 * 2 ** 20;

export type Recognised = { readonly pdf: Uint8Array } | { readonly pages: readonly PdfPage[] };

/** `command` is a program and its arguments, between blanks. Throws `EffectFailure` PV4753. */
export async function recognise(
  command: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Recognised> {
  const [program = '', ...args] = command.trim().split(/\s+/);
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  const child = spawn(program, args, {
    ...{ signal, killSignal: 'SIGKILL', stdio: ['pipe', 'pipe', 'pipe'] },
    env: { PATH, HOME, LANG, TMPDIR },
  });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => void errors.push(text));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  // It is looked at once the output has ended; until then nobody waits for it.
  ended.catch(() => undefined);
  // A program that does not read all that it is given is right to do so.
  child.stdin.once('error', () => undefined).end(bytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of child.stdout as AsyncIterable<Uint8Array>) {
      size += part.byteLength;
      if (size > outputBytesMax) throw new Error(`it gave more than ${outputBytesMax} bytes`);
      parts.push(part);
    }
    const code = await ended;
    if (code !== 0) throw new Error(errors.join('').trim().slice(-300) || `it ended with ${code}`);
  } catch (thrown) {
    child.kill('SIGKILL');
    signal.throwIfAborted();
    throw new EffectFailure('PV4753', `${program} cannot read the scan: ${thrownMessage(thrown)}`, {
      answered: true,
      hint: 'try the program by hand: the option ocr of planvm:web names it',
      cause: thrown,
    });
  }
  const output = Buffer.concat(parts);
  return isPdf(output) ? { pdf: new Uint8Array(output) } : { pages: pagesIn(output.toString()) };
}

function pagesIn(text: string): PdfPage[] {
  const pages = text.split('\f').map((page, index) => ({ number: index + 1, text: page.trim() }));
  return pages.at(-1)?.text === '' ? pages.slice(0, -1) : pages;
}
