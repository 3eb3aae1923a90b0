/** What a digest is made of: the values of a call, and what is asked of them. */
import type { Given } from '../model/call-layout.ts';
import type { Embedder } from '../model/embedder.ts';
import type { ModelSettings } from '../model/generate.ts';
import type { Model } from '../model/model.ts';
import { tokensOf } from '../model/window.ts';

export interface Document extends Given {
  /** From 1. */
  readonly number: number;
  readonly tokens: number;
}

export const documentsOf = (given: readonly Given[]): Document[] =>
  given.map((one, i) => ({ ...one, number: i + 1, tokens: tokensOf(one.text) }));

/** Notes of parts that were read in this run, by what they are notes of. */
export type Notes = Map<string, readonly Note[]>;

export interface Note {
  readonly text: string;
  readonly tokens: number;
}

export interface Digesting {
  readonly model: Model;
  readonly settings: ModelSettings;
  readonly documents: readonly Document[];
  readonly instruction: string;
  /** What the run is for, where that is known. */
  readonly goal: string;
  /** Tokens that a call may send. */
  readonly most: number;
  /** Decides what is drawn at random; the same for each attempt. */
  readonly seed: string;
  readonly notes: Notes;
  readonly embedder?: Embedder | undefined;
}

/** A few paragraphs: what is ranked, drawn and picked. */
export const tokensOfPassage = 400;
