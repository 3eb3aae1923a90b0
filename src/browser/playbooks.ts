/** What the browser loads for playbooks, which it checks: a loop plays them elsewhere. */
import { closed } from '../dialects/languages.ts';
import { playbook, readPlaybooksWith } from '../dialects/playbook/index.ts';
import * as playbookReader from '../dialects/playbook/reader.ts';
import { register } from './core.ts';
import { library } from './starlark.ts';

export function openPlaybooks(): void {
  readPlaybooksWith(playbookReader);
  register(closed(playbook), library);
}
