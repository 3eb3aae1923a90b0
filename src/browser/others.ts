/** What the browser loads for dialects that are neither built in nor have a module of their own. */
import { type ClosedLanguage, closed } from '../dialects/languages.ts';
import { llmcompiler } from '../dialects/llmcompiler/index.ts';
import { react } from '../dialects/react/index.ts';
import { stack } from '../dialects/stack/index.ts';
import { withFunctions } from '../machine/builtins/builtins.ts';
import { tasks } from '../machine/builtins/tasks.ts';
import { register } from './core.ts';
import { library } from './starlark.ts';

type OtherDialect = 'llmcompiler' | 'react' | 'stack';

const languages: Readonly<Record<OtherDialect, ClosedLanguage>> = {
  llmcompiler: closed(llmcompiler),
  react: closed(react),
  stack: closed(stack),
};

const whole = withFunctions(library, tasks);

export function openOther(name: OtherDialect): void {
  register(languages[name], whole);
}
