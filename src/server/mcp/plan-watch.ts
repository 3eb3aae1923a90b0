/**
 * Whether the saved plans, which are tools here, have changed: by whoever, since any command saves
 * plans. What it owns: a watch on the folder that has the journal, or, until there is one, on the
 * folder around it.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Workspace } from '../../agent/port/workspace.ts';
import { savedPlans } from '../../agent/record/plan-store.ts';
import { planTools } from './plan-tools.ts';

/** A run that goes on writes to the folder all the time: it is looked into no more often. */
const pauseMs = 300;

export interface PlanWatch {
  close(): void;
}

/** `changed` hears of it; never throws, as nobody can do anything about it. */
export function watchPlans(workspace: Workspace, changed: () => void): PlanWatch {
  const { home } = workspace;
  let known = namesIn(workspace);
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const close = (): void => {
    watcher?.close();
    watcher = undefined;
    clearTimeout(timer);
  };
  const follow = (): void => {
    const folder = existsSync(home) ? home : dirname(home);
    if (folder === watched) return;
    watched = folder;
    watcher?.close();
    try {
      watcher = watch(folder, { persistent: false }, soon);
      watcher.on('error', close);
    } catch {
      // A system that can watch nothing more: clients list the tools when they want to know.
      watcher = undefined;
    }
  };
  const compare = (): void => {
    timer = undefined;
    follow();
    const now = namesIn(workspace);
    if (now === undefined || now === known) return;
    known = now;
    changed();
  };
  const soon = (): void => {
    timer ??= setTimeout(compare, pauseMs).unref();
  };
  follow();
  return { close };
}

/** Undefined where they cannot be read just now. */
function namesIn(workspace: Workspace): string | undefined {
  try {
    return JSON.stringify(
      planTools(savedPlans(workspace)).map(({ tool, inputs }) => [tool, inputs]),
    );
  } catch {
    return undefined;
  }
}
