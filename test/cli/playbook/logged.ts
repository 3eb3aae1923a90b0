/** What stands in the log of a run, to hold two runs against each other. */
import type { Folder } from '../../support/cli.ts';

/** What a run has done, but for times and attempts. */
export async function logIn(folder: Folder) {
  const { stdout } = await folder.planvm(['show', 'last', '--json']);
  const { status, steps, effects }: Shown = JSON.parse(stdout);
  return {
    status,
    steps: steps.map((one) => [one.id, one.status]),
    effects: effects.map(({ id, step, name, status: ended, request, outcome }) => ({
      ...{ id, step, name, ended, request, outcome },
    })),
  };
}

interface Shown {
  readonly status: string;
  readonly steps: readonly { readonly id: string; readonly status: string }[];
  readonly effects: readonly {
    readonly id: string;
    readonly step: string;
    readonly name: string;
    readonly status: string;
    readonly request: unknown;
    readonly outcome: unknown;
  }[];
}
