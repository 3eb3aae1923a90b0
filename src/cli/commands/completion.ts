/** `planvm completion`: a script for a shell, which asks `planvm complete` for what may follow. */
import { script } from '@bomb.sh/tab';
import { Argument } from '@commander-js/extra-typings';
import type { CommandSpec } from '../command.ts';
import { exit } from '../exit.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const command: CommandSpec = {
  about: 'Print a script that completes commands, options, files and run ids.',
  takes: [new Argument('<shell>', 'The shell.').choices(shells)],
  examples: [
    ['source <(planvm completion bash)', 'for this shell; zsh takes the same'],
    ['planvm completion zsh > ~/.planvm-completion.zsh', 'to be sourced from ~/.zshrc'],
    ['planvm completion fish > ~/.config/fish/completions/planvm.fish', 'for every fish'],
  ],
  act: (shell: (typeof shells)[number]) => {
    // Writes to stdout itself.
    script(shell, 'planvm', 'planvm');
    return exit.done;
  },
};
