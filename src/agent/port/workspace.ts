/**
 * What an agent works with: its settings, the variables that models and tools may read, the folder
 * of its files, and the ports by which it reaches what a face owns.
 */
import { join, relative } from 'node:path';
import type { Model } from '../../effects/model/model.ts';
import { isToolSet } from '../../effects/tool-set-names.ts';
import type { Handler } from '../../engine/handler.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { ApprovalRule } from '../../engine/perform/approval-rule.ts';
import type { Warning } from '../../engine/result.ts';
import type { LiveRun } from './host.ts';
import type { AgentSettings, ServerHere } from './settings.ts';

/** Where each setting and limit that is set comes from, by its name, as messages say it. */
export type Origins = Readonly<Record<string, string>>;

export interface Workspace extends Ports {
  readonly settings: AgentSettings;
  readonly origins: Origins;
  /** Whether each tool in `yes` has to be there: somebody typed the names for this one call. */
  readonly isYesTyped?: boolean;
  /** Decides about calls before a person is asked. */
  readonly rule?: ApprovalRule | undefined;
  /** Absolute path of `.planvm`: caches, plans, knowledge, and the journal where it is a file. */
  readonly home: string;
  /** File that every reply of a model is appended to; the model `replay/FILE` answers from it. */
  readonly record?: string | undefined;
  /** Milliseconds between the words of a replayed reply; 0 where absent. */
  readonly paceMs?: number;
  /**
   * The same for a run, by the settings that it was started with. Without it, all settings here
   * come before those of the run.
   */
  forRun?(run: RunRecord): Promise<Workspace>;
  /** Models that are there already, by what they do. */
  readonly models?: Readonly<Partial<Record<ModelRole, Model>>> | undefined;
  /** Tools that are there already; they take the place of others of their names. */
  readonly ownTools?: readonly Handler[] | undefined;
  /** Path of the knowledge base, where it is not in `home`. */
  readonly knowledge?: string | undefined;
  /** Path of the journal, where it is not in `home`. */
  readonly journalFile?: string | undefined;
  /** What models and tools may read: the process's environment over `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** MCP servers; `others` are names of such as the program itself brings. */
  readonly servers: (others?: readonly string[]) => readonly ServerHere[];
  /** Whether there may be any: without, nothing that speaks to them is loaded. */
  readonly hasServers: boolean;
  /** A configuration that was not run, because nothing may be executed. */
  readonly unread: string | undefined;
}

/** What a face can do for an agent; each may be absent. */
export interface Ports {
  /** A text of the owner's in place of one that comes along: `loops/plan.star`. */
  ownText?(path: string): { readonly text: string; readonly file: string } | undefined;
  /** The tools, each call of which is traced. */
  traced?(handlers: ReadonlyMap<string, Handler>): Promise<ReadonlyMap<string, Handler>>;
  /** Looks on at a run of a session, before its first event. */
  watched?(run: LiveRun): void;
  /** Hears what is wrong with tools that are left out. */
  warn?(warning: Warning): void;
  /** Whether a file may have a server that it wants; absent: it may not. */
  allowsServer?(question: string): Promise<boolean>;
  /** Told before the first module of the owner's is imported. */
  importing?(): void;
  /** Has a connection closed when the process ends, at the latest. */
  atEnd?(close: () => Promise<void> | void): void;
  /** Where logins at MCP servers are kept. */
  readonly loginFolder?: string;
}

/** What the planner writes and repairs, the worker answers, the judge judges. */
export type ModelRole = 'planner' | 'worker' | 'judge';

/** Where the files of a workspace are. */
export type Files = Pick<Workspace, 'home' | 'knowledge' | 'journalFile'>;

export const journalPath = ({ home, journalFile }: Files): string =>
  journalFile ?? join(home, 'runs.db');

export const knowledgePath = ({ home, knowledge }: Files): string =>
  knowledge ?? join(home, 'knowledge.db');

/** A path as a person at this place would write it. */
export function shortPath(path: string): string {
  if (isToolSet(path)) return path;
  const short = relative('', path);
  return short === '' || short.startsWith('..') ? path : short;
}
