/** What can be said about a program on a stack: a name, and the code with its meaning. */
import { codesByName, meaningsOf } from '../../program/diagnostic.ts';

const table = {
  prose: 'PV1301 A line is no statement of a program on a stack; it was left out.',
  otherFence: 'PV1302 Statements stand in several fences; those of the longest were read.',
  cutShort: 'PV1303 The text ends in the middle of a statement.',
  unclosedText: 'PV1304 A text in quotes is not closed before the next statement.',
  innerQuote: 'PV1305 A quote inside of a text has no backslash before it; it stays text.',
  unclosed: 'PV1306 A bracket is not closed before the next statement; it was closed.',
  stray: 'PV1307 Something stands behind a statement in its line; it was left out.',
  badValue: 'PV1308 Where a value has to stand there is none.',
  missingComma: 'PV1309 Between two values there is no comma.',
  tooDeep: 'PV1310 Statements stand in each other too deeply.',
  badKey: 'PV1312 The key of an object is no text.',
  more: 'PV1313 More of the same in a program on a stack than are listed.',

  unknownStatement: 'PV2701 There is no statement of that name.',
  badArguments: 'PV2702 A statement is given what it does not take, or lacks what it needs.',
  notText: 'PV2703 A name or an instruction is no text.',
  badCount: 'PV2704 The number of values to take is no whole number, or below zero.',
  noCount: 'PV2705 A stack_pop is not told how many values to take; it takes one.',
  bareCall: 'PV2706 A helper is called without function_call around it; it was taken.',
  bareName: 'PV2707 A variable is named without get around it; it was taken.',
  noValue: 'PV2708 A statement that gives no value stands where one is needed.',
  underflow: 'PV2709 More values are taken from the stack than there are.',
  unset: 'PV2710 A variable is read that no statement before has set.',
  unknownTool: 'PV2711 There is no such helper to call.',
  missingParameter: 'PV2712 A helper is called without a parameter that it needs.',
  unknownParameter: 'PV2713 A helper is given a parameter that it does not have.',
  tooMany: 'PV2714 A helper is given more arguments than it has parameters.',
  twice: 'PV2715 A helper is given one parameter twice.',
  positionalBehind: 'PV2716 For a helper, a value without a name stands behind one with a name.',
  wrongType: 'PV2717 An argument of a helper does not have the type of its parameter.',
  implicitTop: 'PV2718 A statement is not told what it is about; it takes the top of the stack.',
  noAnswer: 'PV2719 No statement answers; what is left on the stack is the answer.',
  noStatement: 'PV2720 There is no statement in the text.',
  reservedName: 'PV2721 A variable has the name of the stack.',
  discarded: 'PV2722 A statement takes values from the stack, and nothing is done with them.',
  sameForAll: 'PV2723 A statement in foreach does the same for every element.',
  oneOfMany: 'PV2724 Of the values that foreach leaves, a variable keeps the newest alone.',
  unknownProgram: 'PV2725 The program that another one uses is not there.',
  brokenProgram: 'PV2726 The program that another one uses has errors.',
  usesItself: 'PV2727 A program uses itself.',
  tooManyUses: 'PV2728 Programs are used in each other too often.',
  leftOver: 'PV2729 Values that foreach leaves on the stack are never taken.',
  halfTaken: 'PV2730 Of the values that foreach leaves, some are taken.',

  ranEmpty: 'PV3801 A running program takes more values from the stack than there are.',
  gaveUp: 'PV3802 A program says that it cannot go on: uncertain_or_error.',
} as const;

export type CodeName = keyof typeof table;

export const codeByName: Readonly<Record<CodeName, string>> = codesByName(table);

/** Every code of programs on a stack with its meaning. */
export const codes: Readonly<Record<string, string>> = meaningsOf(table);
