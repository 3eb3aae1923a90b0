/** The tools behind what a program names: its helpers, and what statements call by themselves. */
import type { ToolSpec } from '../../program/effect.ts';
import { bindingTool, findTool } from '../../program/tool-names.ts';
import type { Environment } from '../dialect.ts';
import { writable } from '../starlark/resolve/tool-names.ts';

/** What statements call by themselves, and no program names. */
export const modelTool = 'llm_call';
/** Finds the elements in a text. */
export const elementTool = 'llm_list_bind';
/** What programs have other ways to write, and are not told of as helpers. */
export const ownTools: ReadonlySet<string> = new Set([modelTool, bindingTool]);

/** The tool that a helper is; undefined where there is none of that name, or several. */
export const helperIn = ({ tools }: Environment, name: string): ToolSpec | undefined =>
  findTool(tools, name) ?? writable(tools).get(name);
