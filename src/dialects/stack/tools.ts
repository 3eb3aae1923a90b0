/** The tools behind what a program names: its helpers, and what statements call by themselves. */
import type { ToolSpec } from '../../program/effect.ts';
import { findTool } from '../../program/tool-names.ts';
import type { Environment } from '../dialect.ts';
import { writable } from '../starlark/tool-names.ts';

/** What statements call by themselves, and no program names. */
export const modelTool = 'llm_call';
/** What programs have other ways to write, and are not told of as helpers. */
export const ownTools: ReadonlySet<string> = new Set([modelTool, 'bind_arguments']);
/** Finds lists in texts, and arguments in elements. */
export const findingTool = 'llm_generate';
/** Asks for what is not found. */
export const askingTool = 'ask';

/** The tool that a helper is; undefined where there is none of that name, or several. */
export const helperIn = ({ tools }: Environment, name: string): ToolSpec | undefined =>
  findTool(tools, name) ?? writable(tools).get(name);
