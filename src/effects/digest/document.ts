/** What a digest is made of: the values of a call, and what is asked of them. */
import { isObject } from '../foreign-json.ts';
import type { Given } from '../model/call-layout.ts';
import type { Embedder } from '../model/embedder.ts';
import type { Model } from '../model/model.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import { tokensOf } from '../model/window.ts';

export interface Document extends Given {
  /** From 1. */
  readonly number: number;
  readonly tokens: number;
}

export const documentsOf = (given: readonly Given[]): Document[] =>
  given.map((one, i) => ({ ...one, number: i + 1, tokens: tokensOf(one.text) }));

/** Notes of parts that were read in this run, by their keys. */
export type Notes = Map<string, readonly Note[]>;

export interface Note {
  readonly text: string;
  readonly tokens: number;
  /** What it is a note of, where it was made of a part: the same for the same words and wishes. */
  readonly key?: string;
}

export const isNote = (value: unknown): value is Note =>
  isObject(value) && typeof value.text === 'string' && Number.isInteger(value.tokens);

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
