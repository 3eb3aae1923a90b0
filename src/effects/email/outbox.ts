/**
 * A folder in place of a server: each message becomes a file that any program of mail opens. The
 * name is that of the message, so that a second attempt writes the same file again.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';

/** The path of the file. It is there as a whole or not at all. Throws `EffectFailure` PV4789. */
export async function putIntoOutbox(
  folder: string,
  name: string,
  content: Uint8Array,
): Promise<string> {
  const file = join(folder, `${name}.eml`);
  const unfinished = `${file}.part`;
  try {
    await mkdir(folder, { recursive: true });
    // What is in a mail is nobody else's business.
    await writeFile(unfinished, content, { mode: 0o600 });
    await rename(unfinished, file);
  } catch (cause) {
    const why = thrownMessage(cause);
    throw new EffectFailure('PV4789', `the outbox ${folder} cannot be written to: ${why}`, {
      answered: true,
      mayHaveActed: false,
      hint: 'name a folder that can be written to: planvm:email?outbox=./outbox',
      cause,
    });
  }
  return file;
}
