/** `planvm completion`: a script for a shell, which asks `planvm complete` for what may follow. */
import { script } from '@bomb.sh/tab';
import { Argument, type Command } from '@commander-js/extra-typings';
import { type ExitCode, exit } from '../exit.ts';
import { acting, addExamples } from '../help.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description('Print a script that completes commands, options, files, run ids and tools.')
    .addArgument(new Argument('<shell>', 'The shell.').choices(shells))
    .action(
      acting(end, (shell: (typeof shells)[number]) => {
        // Writes to stdout itself.
        script(shell, 'planvm', 'planvm');
        return exit.done;
      }),
    );
  addExamples(
    described,
    ['source <(planvm completion bash)', 'for this shell; zsh takes the same'],
    ['planvm completion zsh > ~/.planvm-completion.zsh', 'to be sourced from ~/.zshrc'],
    ['planvm completion fish > ~/.config/fish/completions/planvm.fish', 'for every fish'],
  );
}
