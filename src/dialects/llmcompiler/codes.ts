/** What can be said about a list of actions: a name, and the code with its meaning. */
import { codesByName, meaningsOf } from '../../program/code-table.ts';

const table = {
  wordsOnly: 'PV1201 A numbered line says in words what to do, and calls no tool.',
  noNumber: 'PV1202 A call stands alone in a line, without a number.',
  actionForm: 'PV1203 An action is written as ReAct writes it; it was taken.',
  actionId: 'PV1204 A line gives the number of an action, which stands before the action.',
  actionInput: 'PV1205 The arguments of an action stand in a line of their own.',
  finishForm: 'PV1206 The plan ends as ReAct ends; it was taken as join.',
  answerLine: 'PV1207 A line says an answer, which the results decide; it was left out.',
  unclosed: 'PV1208 A bracket is not closed where its line ends; it was closed.',
  unclosedText: 'PV1209 A text in quotes is not closed where its line ends; it was closed.',
  wrongBracket: 'PV1210 A call begins with one kind of bracket and ends with another.',
  innerQuote: 'PV1211 A quote stands inside of a text without a backslash before it.',
  cutShort: 'PV1212 The text ends in the middle of a call.',
  oneLine: 'PV1213 Several tasks stand in one line; they were taken apart.',
  trailing: 'PV1214 Something stands behind a call in its line; it was left out.',
  prose: 'PV1215 A line is no part of a plan; it was left out.',
  behindEnd: 'PV1216 Something stands behind the end of the plan; it was left out.',
  behindJoin: 'PV1217 A task stands behind join, which ends the plan; it was left out.',
  foreignLabel: 'PV1218 A label in another form or language; it was taken.',
  strayObservation: 'PV1219 An observation belongs to no task; it was left out.',
  endlessThought: 'PV1220 The text ends inside its thinking: no plan follows.',
  taskInText: 'PV1221 A line inside of a text in quotes looks like a task; it stays text.',
  missingArgument: 'PV1222 There is nothing between two commas.',
  tooDeep: 'PV1223 Brackets are nested too deeply.',
  joinForm: 'PV1224 The end of the plan lacks its number or its brackets; it was taken.',
  badKey: 'PV1225 The key of an object is missing, or is a reference.',
  numberedThought: 'PV1226 A numbered line in a thought calls no tool; it stays thought.',
  curly: 'PV1227 Quotes that are not those of JSON; they were taken.',

  noTasks: 'PV2601 There is no task in the plan.',
  noThought: 'PV2602 Tasks have no thought before them.',
  noJoin: 'PV2603 The plan does not end with join; it was added.',
  duplicateId: 'PV2605 Two tasks have the same number.',
  idGap: 'PV2606 Numbers are left out, in disorder, or do not begin with 1.',
  undefinedTask: 'PV2607 A reference names a task that there is not.',
  selfReference: 'PV2608 A task refers to its own result.',
  cycle: 'PV2609 Tasks wait for each other in a circle.',
  forward: 'PV2610 A reference names a task that comes later; it was taken.',
  unknownTool: 'PV2611 There is no such tool for an action to use.',
  otherCase: 'PV2612 A tool has the name in another case; it was taken.',
  missingParameter: 'PV2613 An action lacks a parameter that its tool needs.',
  unknownParameter: 'PV2614 An action names a parameter that its tool does not have.',
  tooMany: 'PV2615 An action gives more arguments than its tool has parameters.',
  twice: 'PV2616 An action gives one parameter twice.',
  wrongType: 'PV2617 An argument does not have the type of its parameter.',
  otherForm: 'PV2618 An argument has the type of its parameter but for its form; it was taken.',
  amount: 'PV2619 A dollar sign stands before an amount; it stays text.',
  badExpression: 'PV2620 An argument has to be a number, and cannot be computed.',
  inertObservation: 'PV2621 Observations stand in a plan that is to be run; they were left out.',
  joinArguments: 'PV2622 The arguments of join are no single value; they were left out.',
  positionalBehind: 'PV2623 An argument without a name stands behind one with a name.',
  numberedForm: 'PV2624 An action of a transcript has a number, as in plans; it was taken.',
  joinEnd: 'PV2625 A transcript ends with join; it was taken as Finish.',
  noFinish: 'PV2627 A transcript does not end with Finish.',
  answerEnd: 'PV2628 A transcript ends with a line that says the answer; it was taken as Finish.',
  noSuchPart: 'PV2629 A reference names a part that the result of its tool does not have.',
  undefinedInput: 'PV2630 A reference names an input that is not given.',
  more: 'PV2626 More of the same in a plan than are listed.',
} as const;

export type CodeName = keyof typeof table;

export const codeByName: Readonly<Record<CodeName, string>> = codesByName(table);

/** Every code of lists of actions with its meaning. */
export const codes: Readonly<Record<string, string>> = meaningsOf(table);
