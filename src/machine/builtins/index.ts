/** Every library function of the guest by name. */
import { type Builtins, withFunctions } from './builtins.ts';
import { starlarkBuiltins } from './starlark.ts';
import { tasks } from './tasks.ts';

export const allBuiltins: Builtins = withFunctions(starlarkBuiltins, tasks);
