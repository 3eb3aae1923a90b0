/** Imports a module of the person who calls: a configuration, tools, or helpers. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { divertStdout } from '../view/output.ts';

type Exports = Readonly<Record<string, unknown>>;

/** What a module exports, by name. Throws whatever importing it throws. */
export async function importAll(path: string): Promise<Exports> {
  acceptTypeless();
  divertStdout();
  return { ...(await import(pathToFileURL(path).href)) };
}

/** The default export of a module. Throws as `importAll` does. */
export const importDefault = async (path: string): Promise<unknown> =>
  (await importAll(path)).default;

/** A source and the same without its types, with every character in its place. */
export async function sourceOf(path: string): Promise<{ source: string; blank: string }> {
  const source = readFileSync(path, 'utf8');
  if (!/\.[mc]?ts$/.test(path)) return { source, blank: source };
  acceptTypeless();
  const { stripTypeScriptTypes } = await import('node:module');
  return { source, blank: stripTypeScriptTypes(source) };
}

let accepted = false;

/**
 * Node warns of ES modules in a package that does not say `"type": "module"`. Here they are
 * welcome: the folder of a plan need not be such a package. Nor is it news to a person that Node
 * may yet change how it takes types away. Other warnings are shown as ever.
 */
function acceptTypeless(): void {
  if (accepted) return;
  accepted = true;
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if ('code' in warning && warning.code === 'MODULE_TYPELESS_PACKAGE_JSON') return;
    if (warning.message.includes('stripTypeScriptTypes')) return;
    for (const listener of listeners) listener(warning);
  });
}
