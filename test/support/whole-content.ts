/** What a loader reads, with lists of its items, which loaders of rows make as they are read. */
import type { Chunk, Content, Fact } from '../../src/effects/retrieve/content.ts';

export interface WholeContent extends Content {
  readonly chunks: readonly Chunk[];
  readonly facts: readonly Fact[];
}

/** A loader whose content is whole. */
export const whole =
  <Arguments extends readonly unknown[]>(load: (...args: Arguments) => Content) =>
  (...args: Arguments): WholeContent => {
    const content = load(...args);
    return { ...content, chunks: [...content.chunks], facts: [...content.facts] };
  };
