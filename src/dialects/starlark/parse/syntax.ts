/**
 * The tree of a Starlark file: what the parser makes, what the resolver adds, what the compiler
 * reads. Parentheses leave no trace.
 *
 * Invariants:
 * - T1 `at` is where a node starts and `operatorAt` where its failure is reported, both packed by
 *   `packPosition`; lines and columns count from 1, columns in UTF-16 units.
 * - T2 The parser leaves `binding` and `frame` undefined. After the resolver, every name that is
 *   read or bound has a binding, and every function, and the file, has a frame.
 * - T3 Names that refer to one variable of one frame share one `Binding` object, so a variable
 *   that turns out to be captured becomes a cell at every place that names it.
 */
import type { Capture } from '../../../program/program.ts';
import type { Bytes, Float } from '../../../program/value.ts';

/** A packed place: see `packPosition` and `unpackPosition`. */
export type Position = number;

interface Node {
  readonly at: Position;
}

export interface File extends Node {
  readonly kind: 'file';
  readonly body: readonly Statement[];
  /** Variables of the file that are not global: those of `load` and of comprehensions. */
  frame: Frame | undefined;
  /** Global variables, by index. */
  globals: readonly Variable[];
}

export type Statement =
  | Assign
  | AugmentedAssign
  | Branch
  | Def
  | ExpressionStatement
  | For
  | If
  | Load
  | Return
  | While;

/** `a, b = x` */
export interface Assign extends Node {
  readonly kind: 'assign';
  readonly target: Expression;
  readonly operatorAt: Position;
  readonly value: Expression;
}

/** `x += y`; `operator` is without the `=`. The target is a name, an index or a field. */
export interface AugmentedAssign extends Node {
  readonly kind: 'augmented';
  readonly target: Expression;
  readonly operator: ArithmeticOperator;
  readonly operatorAt: Position;
  readonly value: Expression;
}

export interface Branch extends Node {
  readonly kind: 'break' | 'continue' | 'pass';
}

export interface Def extends Node {
  readonly kind: 'def';
  readonly name: Name;
  readonly function: FunctionNode;
}

export interface ExpressionStatement extends Node {
  readonly kind: 'expression';
  readonly value: Expression;
}

export interface For extends Node {
  readonly kind: 'for';
  readonly target: Expression;
  readonly iterable: Expression;
  readonly body: readonly Statement[];
}

/** `elif` is an `if` alone in `orElse`. */
export interface If extends Node {
  readonly kind: 'if';
  readonly condition: Expression;
  readonly body: readonly Statement[];
  readonly orElse: readonly Statement[];
}

/** `load("module", "a", b = "c")` */
export interface Load extends Node {
  readonly kind: 'load';
  readonly module: string;
  readonly moduleAt: Position;
  readonly items: readonly LoadItem[];
}

export interface LoadItem extends Node {
  /** The name in the module; `at` is its place. */
  readonly from: string;
  /** The name in this file. */
  readonly to: Name;
}

export interface Return extends Node {
  readonly kind: 'return';
  readonly value: Expression | undefined;
}

export interface While extends Node {
  readonly kind: 'while';
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

/** What `def` and `lambda` have in common. The body of a lambda is one `return`. */
export interface FunctionNode extends Node {
  readonly kind: 'function';
  /** `lambda` for a lambda. */
  readonly name: string;
  /** As written. */
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
  frame: Frame | undefined;
}

export type Parameter =
  | ({ readonly kind: 'parameter'; readonly name: Name } & Node)
  | ({ readonly kind: 'optional'; readonly name: Name; readonly value: Expression } & Node)
  /** `*args`, or the bare `*` without a name. */
  | ({ readonly kind: 'star'; readonly name: Name | undefined } & Node)
  | ({ readonly kind: 'starstar'; readonly name: Name } & Node);

export type Expression =
  | Attribute
  | Binary
  | Call
  | Chain
  | Comprehension
  | Conditional
  | Dict
  | Format
  | Index
  | Lambda
  | Literal
  | Name
  | Sequence
  | Slice
  | Unary;

export interface Name extends Node {
  readonly kind: 'name';
  readonly name: string;
  binding: Binding | undefined;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: number | bigint | Float | string | Bytes;
}

/** A tuple `(a, b)` or a list `[a, b]`. */
export interface Sequence extends Node {
  readonly kind: 'tuple' | 'list';
  readonly items: readonly Expression[];
}

export interface Dict extends Node {
  readonly kind: 'dict';
  readonly entries: readonly Entry[];
}

/** `key: value`, `operatorAt` being the colon. */
export interface Entry extends Node {
  readonly kind: 'entry';
  readonly key: Expression;
  readonly operatorAt: Position;
  readonly value: Expression;
}

/** `[item for …]`, or `{entry: … for …}`. The first clause is always a `for`. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly result: Expression | Entry;
  readonly clauses: readonly Clause[];
}

export type Clause =
  | ({ readonly kind: 'for'; readonly target: Expression; readonly iterable: Expression } & Node)
  | ({ readonly kind: 'if'; readonly condition: Expression } & Node);

/** `a if condition else b` */
export interface Conditional extends Node {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly then: Expression;
  readonly orElse: Expression;
}

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: 'not' | '+' | '-' | '~';
  readonly operand: Expression;
}

export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly operatorAt: Position;
  readonly left: Expression;
  readonly right: Expression;
}

/**
 * `a < b <= c`: true if every neighbouring pair compares true. Each operand is evaluated at most
 * once, and none after the first pair that is false. Two or more `links`.
 */
export interface Chain extends Node {
  readonly kind: 'chain';
  readonly first: Expression;
  readonly links: readonly {
    readonly operator: Comparison;
    readonly operatorAt: Position;
    readonly right: Expression;
  }[];
}

export type BinaryOperator = 'and' | 'or' | Comparison | ArithmeticOperator;
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';
export type ArithmeticOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '**'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>';

/** `x.name`, `operatorAt` being the dot. */
export interface Attribute extends Node {
  readonly kind: 'attribute';
  readonly object: Expression;
  readonly operatorAt: Position;
  readonly name: string;
  readonly nameAt: Position;
}

/** `x[index]`, `operatorAt` being the bracket. */
export interface Index extends Node {
  readonly kind: 'index';
  readonly object: Expression;
  readonly operatorAt: Position;
  readonly index: Expression;
}

/** `x[low:high:step]`, `operatorAt` being the bracket. */
export interface Slice extends Node {
  readonly kind: 'slice';
  readonly object: Expression;
  readonly operatorAt: Position;
  readonly low: Expression | undefined;
  readonly high: Expression | undefined;
  readonly step: Expression | undefined;
}

/** `f(…)`, `operatorAt` being the parenthesis. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly operatorAt: Position;
  /** As written; after the resolver: positional, named, at most one `star`, one `starstar`. */
  readonly arguments: readonly Argument[];
}

export type Argument =
  | ({ readonly kind: 'positional'; readonly value: Expression } & Node)
  | ({ readonly kind: 'named'; readonly name: string; readonly value: Expression } & Node)
  | ({ readonly kind: 'star'; readonly value: Expression } & Node)
  | ({ readonly kind: 'starstar'; readonly value: Expression } & Node);

export interface Lambda extends Node {
  readonly kind: 'lambda';
  readonly function: FunctionNode;
}

/** `f"text {value!r}"`: pieces of text and of values, in order. */
export interface Format extends Node {
  readonly kind: 'format';
  readonly parts: readonly (string | Replacement)[];
}

export interface Replacement extends Node {
  readonly value: Expression;
  /** `r` for `repr`, else `str`. */
  readonly conversion: 's' | 'r';
  /** What stands behind the colon: pieces of text and of values. */
  readonly format: Format['parts'];
}

/**
 * Where the value of a name is. `index` counts
 * - in a `local` or a `cell`: the variables of the frame (both are slots of `Frame.locals`);
 * - in a `captured`: the captures of the frame;
 * - in a `global`: `File.globals`.
 * Elsewhere it is -1: `predeclared` and `universal` names are looked up by name.
 */
export interface Binding {
  scope: 'local' | 'cell' | 'captured' | 'global' | 'predeclared' | 'universal' | 'undefined';
  readonly index: number;
}

/** A variable, and the place that bound it first. */
export interface Variable {
  readonly name: string;
  readonly at: Position;
}

/** The variables of one function, or of the file outside functions. */
export interface Frame {
  /**
   * Local slots. First the parameters in the order the machine wants: those that can be given by
   * position, those after `*`, the one of `*args`, the one of `**kwargs`.
   */
  readonly locals: readonly Variable[];
  /** Indexes into `locals` of those that closures share, ascending. */
  readonly cells: readonly number[];
  /** Variables of enclosing frames, and where the frame around this one has each. */
  readonly captures: readonly (Capture & { readonly name: string })[];
  /** How many parameters can be given by position. */
  readonly positional: number;
  /** How many can only be given by name. */
  readonly named: number;
  readonly hasStar: boolean;
  readonly hasStarStar: boolean;
}
