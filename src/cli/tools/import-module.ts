/** Imports a module of the person who calls: a configuration, or tools. */
import { pathToFileURL } from 'node:url';
import { divertStdout } from '../view/output.ts';

/** The default export of a module. Throws whatever importing it throws. */
export async function importDefault(path: string): Promise<unknown> {
  acceptTypeless();
  divertStdout();
  const module: { default?: unknown } = await import(pathToFileURL(path).href);
  return module.default;
}

let accepted = false;

/**
 * Node warns of ES modules in a package that does not say `"type": "module"`. Here they are
 * welcome: the folder of a plan need not be such a package. Other warnings are shown as ever.
 */
function acceptTypeless(): void {
  if (accepted) return;
  accepted = true;
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if ('code' in warning && warning.code === 'MODULE_TYPELESS_PACKAGE_JSON') return;
    for (const listener of listeners) listener(warning);
  });
}
