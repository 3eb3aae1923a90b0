/**
 * The errors a running guest program can end with, and those of wrong use of the machine: a name,
 * and the code with its meaning.
 */
import { codesByName, meaningsOf } from '../../program/code-table.ts';

const table = {
  defect: 'PV3000 An effect failed and did not say how: a defect of planvm.',
  undefinedVariable: 'PV3001 A variable is used before it has a value.',
  operandTypes: 'PV3002 An operation does not take values of these types, or this value.',
  divisionByZero: 'PV3003 A number is divided by zero.',
  indexRange: 'PV3004 A list, tuple or string has no element at this place.',
  noKey: 'PV3005 A dict, struct or JSON object has no such key, or the value is no object.',
  notCallable: 'PV3006 What is called is no function.',
  callArguments: 'PV3007 A call gives a function or a tool other arguments than it takes.',
  notIterable: 'PV3008 A value that has no items is iterated or spread.',
  unpackCount: 'PV3009 A value has more or fewer items than there are variables for them.',
  locked: 'PV3010 A value is changed while it is iterated, or is frozen.',
  unhashable: 'PV3011 A value that can change is used as a key or as a member of a set.',
  valueSize: 'PV3012 A value is larger than the limit.',
  callDepth: 'PV3013 Calls nest deeper than the limit.',
  stepVisits: 'PV3014 A step is entered more often than the limit.',
  notData: 'PV3015 A value that is no data, such as a function, is sent, shown or joined to text.',
  unknownTool: 'PV3016 The run has no such tool.',
  nesting: 'PV3017 Values nest too deeply, or contain themselves.',
  voidValue: 'PV3018 A value was given up: behind a call that failed, or lost in first().',
  recursion: 'PV3019 A function calls itself, where the rules of the program have no recursion.',
  load: 'PV3020 A load statement names a module, or a name in one, that is not there.',
  parallelWrite: 'PV3021 A function that runs in parallel calls a tool that writes.',
  bindHelper: 'PV3040 A binding is given something else than a tool with its parameters.',
  bindList: 'PV3041 A binding is given a list: one value is bound at a time.',
  uncertain: 'PV3042 A tool is called with a value that is uncertain: a question is open.',
  bindResult:
    'PV3043 What was to find the arguments of a call has given neither them nor a reason.',
  taskTool: 'PV3701 A task names a tool that the run does not have.',
  taskSkipped: 'PV3702 A task was skipped: another has failed whose result it needs.',
  taskNode: 'PV3703 Arguments of a task stand for a result in a form that is none, or for none.',
  taskNumber: 'PV3704 A task computes with a result that is no number, or without a result.',
  taskElements:
    'PV3705 What a task is performed for each of is no list, or lists differ in length.',
  taskReplan: 'PV3706 What tasks came to is not enough for an answer: another plan is needed.',
  prerequisite: 'PV3707 A tool is called that comes after another, and that one has not succeeded.',
  damagedProgram: 'PV3090 A program is not what the verifier accepts.',
  damagedSnapshot: 'PV3091 A snapshot is not what a machine has made.',
  otherProgram: 'PV3092 A snapshot, or what a program is extended by, belongs to another program.',
};

export const faults: Readonly<Record<keyof typeof table, string>> = codesByName(table);

export const codes: Readonly<Record<string, string>> = meaningsOf(table);
