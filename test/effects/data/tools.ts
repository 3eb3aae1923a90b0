/** The tools of `planvm:data` over a folder of files, and what they say beside their results. */
import { dataSet } from '../../../src/effects/data/set.ts';
import { checkedHandler } from '../../../src/effects/tool/checked.ts';
import { openSet } from '../../../src/effects/tool-set.ts';
import type { Source } from '../../../src/program/effect.ts';
import { type Attempt, attempt } from '../../support/attempt.ts';
import { Sandbox } from '../files/sandbox.ts';

export class DataFolder extends Sandbox {
  /** What addresses may lead to; tests have their servers here. */
  private: 'none' | 'loopback' = 'loopback';
  /** Further options of the set. */
  options: Readonly<Record<string, string>> = {};

  override async call(tool: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    return await this.start(tool, args).result;
  }

  start(
    tool: string,
    args: Readonly<Record<string, unknown>>,
  ): { result: Promise<unknown>; context: Attempt } {
    this.context = attempt();
    const source = (one: Source): void => void this.sources.push(one);
    const context = Object.assign(this.context, { source });
    return { result: this.#perform(tool, args, context), context };
  }

  async #perform(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    context: Attempt,
  ): Promise<unknown> {
    const own = { read: this.data, private: this.private, cache: 'false' };
    const handlers = await openSet(dataSet, { ...own, ...this.options }, {});
    const handler = handlers.map(checkedHandler).find(({ spec }) => spec.name === tool);
    return await handler?.perform(args, context);
  }
}
