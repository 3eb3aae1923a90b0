/**
 * The shape of every folder under `dialects/`: a notation that models write programs in. All of it
 * is pure; `check` never runs configuration or tools (design rule 8).
 */
import type { Diagnostic } from '../program/diagnostic.ts';
import type { JsonSchema, ToolSpec } from '../program/effect.ts';
import type { Program } from '../program/program.ts';

/** What it takes to read and check texts of a notation. */
export interface Language<Tree = unknown> {
  /** `stackvm-2`, as `--dialect` takes it. */
  readonly name: string;
  /** File extensions that always mean this dialect, with the dot; `.json` means none. */
  readonly extensions: readonly string[];
  /** How sure the text is of this dialect: 0 not at all, 1 certain. */
  detect(text: string): number;
  /** Reads the text and what surrounds it; never throws. No `tree` when nothing was read. */
  parse(text: string): Parsed<Tree>;
  /** Everything that can be said before running. Includes nothing that `parse` has said. */
  check(tree: Tree, environment: Environment): Diagnostic[];
  /** Whether a text in a file of Markdown, which is in no dialect, is for this one to follow. */
  readonly isFreeForm?: (text: string) => boolean;
}

/** The same, and what it takes to have a model write such texts and rewrite parts of them. */
export interface Notation<Tree = unknown> extends Language<Tree> {
  /** One sentence for `--help` and prompts. */
  readonly about: string;
  /** The description that goes into prompts, generated from the tables that `check` uses. */
  describe(environment: Environment): string;
  /** The word behind the opening fence where a model writes a program down: `json`. */
  readonly fence: string;
  /** JSON Schema of the program, where it is JSON that a model can be held to. */
  readonly replySchema?: JsonSchema;
  /** The program that gives an answer in words. */
  readonly answering?: (words: string) => string;
  /** Codes of warnings on which a model has to write its program again: it would lose results. */
  readonly correctedWarnings?: readonly string[];
  /** What to write for an answer, for the author of a program that has come to none. */
  readonly answerHint: string;
  /** The program in a model's reply, without what is around it; undefined where there is none. */
  find(reply: string): string | undefined;
  /** Whole programs in the reply beside the one that `find` takes, each by its first line. */
  readonly othersIn?: (reply: string) => readonly string[];
  /** How a text is taken apart into steps, for whoever rewrites some of them. */
  readonly parts?: Parts;
}

/** A language whose texts are programs of the machine. */
export interface CompiledLanguage<Tree = unknown> extends Language<Tree> {
  /** Only for a tree without errors. */
  lower(tree: Tree, environment: Environment): Program;
}

/** Texts that are programs of the machine. */
export interface Dialect<Tree = unknown> extends Notation<Tree>, CompiledLanguage<Tree> {}

/** Texts that a program of the machine runs, which is a loop: see design rule 6. */
export interface InterpretedDialect<Tree = unknown> extends Notation<Tree> {
  /** Its file in `loops/`, without the ending. */
  readonly interpretedBy: string;
}

/** The steps of a text that stand in no other, of texts that pass `check`. */
export interface Parts {
  /** In the order in which they are executed; nothing where the text cannot be taken apart. */
  of(text: string): readonly Part[];
  /**
   * The text with one step, or with that and all behind it, replaced by what a model has written in
   * its place. What stands before it stays as it is, also where the model has repeated it.
   */
  replace(text: string, replacement: Replacement): Replaced;
  /**
   * Whether a text is the step of that label and nothing else, where steps write their labels: who
   * sends that means to replace this step.
   */
  readonly isStep?: (text: string, label: string) => boolean;
}

export interface Part {
  /** As in step ids, without a visit. */
  readonly label: string;
  readonly text: string;
  /** The line of the program that the text begins with, from 1, where labels are lines. */
  readonly line?: number;
}

export interface Replacement {
  /** The label of a part. */
  readonly at: string;
  readonly scope: 'step' | 'rest';
  readonly written: string;
}

/** `problem` says, to the model, why what it has written cannot stand there. */
export type Replaced = { readonly text: string } | { readonly problem: string };

export interface Parsed<Tree> {
  readonly tree?: Tree;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a program may refer to. */
export interface Environment {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Names of the input variables, set before the program starts. */
  readonly inputs: readonly string[];
  /** Whether there may be other tools: what is near to the name of one need not mean that one. */
  readonly open?: boolean;
  /** Saved programs that a program of the same dialect may use by their names. */
  readonly programs?: readonly UsableProgram[];
  /** Whom a run of the program asks, where that is known. */
  readonly models?: SaidModels;
}

/** Models, `provider/model`, as whoever runs a program has named them. */
export interface SaidModels {
  readonly own?: string;
  /** For parts of the program, by their names. */
  readonly named: Readonly<Record<string, string>>;
}

/** A program that others may have within them. */
export interface UsableProgram {
  /** As they name it. */
  readonly name: string;
  /** What it is for, in words. */
  readonly about: string;
  readonly text: string;
}

export interface Checked {
  readonly ok: boolean;
  readonly dialect: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Present when `ok`, but for dialects that a loop interprets. */
  readonly program?: Program;
}
