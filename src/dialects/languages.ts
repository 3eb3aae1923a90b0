/**
 * Which of some languages a text is written in, and the way from the text to a program. `index.ts`
 * does it with every dialect; a host that loads dialects on demand with those that are there.
 */
import { verify } from '../analysis/verifier.ts';
import { type Diagnostic, nearest } from '../program/diagnostic.ts';
import { mandatory, type ToolSpec } from '../program/effect.ts';
import { limitDefaults } from '../program/limit-defaults.ts';
import { opcodeAt, operandOf } from '../program/opcodes.ts';
import { type Chunk, type Program, unpackPosition } from '../program/program.ts';
import { utf8Bytes } from '../program/size.ts';
import { inOrder } from './diagnostic.ts';
import type {
  Checked,
  Dialect,
  Environment,
  InterpretedDialect,
  Language,
  Notation,
} from './dialect.ts';

/** A language whose texts are programs of the machine, or, without `lower`, of a loop. */
type OpenLanguage<Tree> = Language<Tree> & {
  lower?(tree: Tree, environment: Environment): Program;
};

/** A language whose tree only it knows how to look at. */
export type ClosedLanguage = Omit<Language, 'parse' | 'check'> & {
  check(text: string, environment: Environment, instructionsMax: number): Checked;
};

/** A dialect whose tree only it knows how to look at. */
export type AnyDialect = Omit<Notation, 'parse' | 'check'> &
  ClosedLanguage & { readonly interpretedBy?: string };

export function whole<Tree>(dialect: Dialect<Tree> | InterpretedDialect<Tree>): AnyDialect {
  return { ...dialect, ...closed(dialect) };
}

/** The language without its tree: `check` parses, checks and lowers. */
export function closed<Tree>(dialect: OpenLanguage<Tree>): ClosedLanguage {
  return {
    ...dialect,
    check(text, environment, instructionsMax) {
      const { name } = dialect;
      const { tree, diagnostics: read } = dialect.parse(text);
      const found = tree === undefined ? read : [...read, ...dialect.check(tree, environment)];
      const diagnostics = inOrder(found);
      const wrong = found.some(({ severity }) => severity === 'error');
      if (tree === undefined || wrong) return { ok: false, dialect: name, diagnostics };
      if (!dialect.lower) return { ok: true, dialect: name, diagnostics };
      const program = dialect.lower(tree, environment);
      const defects = verify(program, instructionsMax);
      if (defects.length === 0) {
        const early = prerequisiteWarnings(program, environment.tools);
        const all = early.length === 0 ? diagnostics : inOrder([...diagnostics, ...early]);
        return { ok: true, dialect: name, diagnostics: all, program };
      }
      return { ok: false, dialect: name, diagnostics: [...diagnostics, ...defects] };
    },
  };
}

export interface DetectOptions {
  /** The name or path of the file that the text is from; its extension may decide. */
  readonly file?: string;
  /** The name of a dialect; nothing else is looked at. */
  readonly dialect?: string;
}

export interface CheckOptions extends DetectOptions {
  /** How many instructions the program may have. */
  readonly instructionsMax?: number;
  /** How many bytes of UTF-8 the text may have. */
  readonly sourceBytesMax?: number;
}

/** The dialect of a text; a diagnostic where there is none. */
export function detectAmong<Each extends ClosedLanguage>(
  languages: readonly Each[],
  text: string,
  { file, dialect }: DetectOptions = {},
): Each | Diagnostic {
  if (dialect !== undefined) return named(languages, dialect);
  const byFile = languages.find(({ extensions }) => extensions.some((end) => file?.endsWith(end)));
  if (byFile) return byFile;
  let best: Each | undefined;
  let confidence = 0;
  for (const candidate of languages) {
    const sure = candidate.detect(text);
    if (sure <= confidence) continue;
    best = candidate;
    confidence = sure;
  }
  if (best) return best;
  const isText = /\.(?:md|markdown)$/i.test(file ?? '');
  const free = isText ? languages.find(({ isFreeForm }) => isFreeForm?.(text)) : undefined;
  return free ?? unrecognised(languages, text, isText);
}

/** Parses, checks and, where there is no error, lowers; diagnostics in the order of the text. */
export function checkAmong(
  languages: readonly ClosedLanguage[],
  text: string,
  environment: Environment,
  options: CheckOptions = {},
): Checked {
  const refused = oversized(text, options.sourceBytesMax ?? limitDefaults.sourceBytes);
  const dialect = refused ?? detectAmong(languages, text, options);
  if ('code' in dialect) {
    return { ok: false, dialect: options.dialect ?? '', diagnostics: [dialect] };
  }
  const { instructionsMax = limitDefaults.programInstructions } = options;
  return dialect.check(text, environment, instructionsMax);
}

function named<Each extends ClosedLanguage>(
  languages: readonly Each[],
  wanted: string,
): Each | Diagnostic {
  const found = languages.find(({ name }) => name === wanted);
  if (found) return found;
  const names = languages.map(({ name }) => name);
  const near = nearest(wanted, names);
  return {
    code: 'PV2001',
    severity: 'error',
    message: `got the dialect ${wanted}, want one of ${names.join(', ')}`,
    line: 0,
    column: 0,
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  };
}

/** Said before anything is read: a text without bounds would be read without bounds. */
function oversized(text: string, bytesMax: number): Diagnostic | undefined {
  // Three bytes a unit are the most there can be.
  const bytes = text.length * 3 <= bytesMax ? 0 : utf8Bytes(text);
  if (bytes <= bytesMax) return undefined;
  return {
    code: 'PV1002',
    severity: 'error',
    message: `got a text of ${bytes} bytes, want at most ${bytesMax}`,
    line: 1,
    column: 1,
    hint: 'make it shorter, or raise the limit sourceBytes',
  };
}

function unrecognised(
  languages: readonly ClosedLanguage[],
  text: string,
  isText: boolean,
): Diagnostic {
  const empty = text.trim() === '';
  const names = languages.map(({ name }) => name).join(', ');
  return {
    code: 'PV2002',
    severity: 'error',
    message: empty ? 'the text is empty' : 'the text is not a program in any known dialect',
    line: 1,
    column: 1,
    hint: isText && !empty ? instructions : `the dialects are ${names}; --dialect names one`,
  };
}

const instructions =
  'for a model to follow it as instructions, say --dialect playbook, or begin it with a heading';

// What a program calls without having called before it what has to come first (`ToolSpec.after`).
// Seen on its code, so that it holds in every dialect; the machine decides when it runs, which is
// why this warns only.

type Tools = ReadonlyMap<string, ToolSpec>;

/** A place that names a tool. */
interface Use {
  readonly tool: string;
  readonly position: number;
  readonly step: string | undefined;
}

/** A warning for the first use of each tool whose prerequisite is nowhere before it. */
function prerequisiteWarnings(program: Program, tools: Tools): Diagnostic[] {
  if (![...tools.values()].some(({ after }) => after)) return [];
  const [main, ...functions] = program.chunks;
  if (!main) return [];
  const inMain = usesIn(main, program);
  // A function is called somewhere; what it calls may come first.
  const inFunctions = functions.flatMap((chunk) => usesIn(chunk, program));
  const somewhere = new Set(inFunctions.map(({ tool }) => tool));
  const found = inMain.flatMap((use, index) => {
    const before = new Set(inMain.slice(0, index).map(({ tool }) => tool));
    if (before.has(use.tool)) return [];
    return lacking(use, tools, (name) => before.has(name) || somewhere.has(name));
  });
  const all = new Set([...somewhere, ...inMain.map(({ tool }) => tool)]);
  const first = new Map(inFunctions.map((use) => [use.tool, use]));
  for (const use of first.values()) found.push(...lacking(use, tools, (name) => all.has(name)));
  return found;
}

function usesIn({ code, constants, positions }: Chunk, program: Program): Use[] {
  const uses: Use[] = [];
  let step: string | undefined;
  code.forEach((word, at) => {
    const row = opcodeAt(word);
    if (row?.operand === 'step') step = program.steps[operandOf(word)]?.label;
    if (row?.operand !== 'constant') return;
    const value = constants[operandOf(word)];
    if (value === null || typeof value !== 'object' || value.kind !== 'tool') return;
    uses.push({ tool: value.name, position: positions[at] ?? 0, step });
  });
  return uses;
}

function lacking(
  { tool, position, step }: Use,
  tools: Tools,
  isThere: (name: string) => boolean,
): Diagnostic[] {
  const needed = tools.get(tool)?.after ?? [];
  return needed.flatMap((name): Diagnostic[] => {
    const spec = tools.get(name);
    if (!spec || isThere(name)) return [];
    const isPlain = mandatory(spec).length === 0 && (spec.requires ?? []).length === 0;
    const what = isPlain ? 'the machine calls it first' : 'the call fails';
    return [
      {
        code: 'PV2006',
        severity: 'warning',
        message: `${tool} comes after ${name}, which is not called before it: ${what}`,
        hint: `call ${name} before`,
        ...unpackPosition(position),
        ...(step === undefined ? {} : { step }),
      },
    ];
  });
}
