/** What can be said about a stackvm plan: a name, and the code with its meaning. */

const table = {
  notAList: 'PV2101 The JSON is no list of instructions.',
  emptyPlan: 'PV2102 The list of instructions is empty.',
  singleInstruction: 'PV2103 One instruction stands without a list around it; it was taken.',
  notAnInstruction: 'PV2104 An element of the list is no object.',
  noType: 'PV2105 An instruction has no type.',
  unknownType: 'PV2106 The type is neither an instruction nor a tool.',
  foreignType: 'PV2107 An instruction of the other stackvm dialect; it was taken.',
  toolAsType: 'PV2108 The name of a tool stands as type; it was taken as a call.',
  oldName: 'PV2109 A name that older plans use; it was taken.',
  noParameters: 'PV2110 An instruction has no object of parameters.',
  missingParameter: 'PV2111 A parameter that the instruction needs is missing.',
  wrongType: 'PV2112 A value has the wrong type.',
  unknownParameter: 'PV2113 The instruction has no such parameter; it was left out.',
  unknownKey: 'PV2114 An instruction has no such key; it was left out.',
  misplaced: 'PV2115 A parameter stands outside of `parameters`; it was taken.',
  repeatedKey: 'PV2116 A key stands twice in one object; the last one counts.',
  conflict: 'PV2117 Two keys say the same thing in different ways.',
  assignForm: 'PV2118 An assign in the form of the other stackvm dialect.',
  awkwardName: 'PV2119 A variable has a name that no reference can spell.',
  missingBranch: 'PV2120 A condition lacks one of its branches; it was taken as empty.',
  noNumber: 'PV2121 An instruction has no seq_no while others have one.',
  byPosition: 'PV2122 No instruction has a seq_no; they were numbered by position.',
  badNumber: 'PV2123 A seq_no or the target of a jump is no integer from 0.',
  looseNumber: 'PV2124 A number is written as text or as a fraction; it was taken.',
  duplicateNumber: 'PV2125 Two instructions have the same seq_no.',
  unsorted: 'PV2126 Instructions do not stand in the order of their seq_no.',
  gap: 'PV2127 Numbers are left out, or do not begin with 0 or 1.',
  noTarget: 'PV2128 A jump leads to a seq_no that no instruction has.',
  intoBranch: 'PV2129 A jump leads into the branch of a condition from outside.',
  fallsThrough: 'PV2130 jump_if_false is absent: when false, the next step follows.',
  ignoredTarget: 'PV2131 A target of a jump is never used.',
  unknownTool: 'PV2132 There is no such tool.',
  missingArgument: 'PV2133 A parameter that the tool needs is missing.',
  unknownArgument: 'PV2134 The tool has no such parameter.',
  wrongArgument: 'PV2135 A value does not fit the schema of the tool’s parameter.',
  tooManyArguments: 'PV2136 A call has more parameters than an instruction can carry.',
  unknownVariable: 'PV2137 No step writes the variable, and it is no input.',
  unwritten: 'PV2138 A variable is read where no path has written it yet.',
  maybeUnwritten: 'PV2139 A variable is read that some path has not written yet.',
  foreignReference: 'PV2140 References in the other dialect’s form; they were resolved.',
  foreignText: 'PV2141 Text in the form of the other dialect’s references; it stays text.',
  brokenReference: 'PV2142 A reference that cannot be read although its variable exists.',
  oddBraces: 'PV2143 Something that looks like a reference but is none; it stays text.',
  escapedVariable: 'PV2144 A reference to a known variable is escaped; it stays text.',
  extraKeys: 'PV2145 An object with `var` and other keys; it stays data.',
  textArithmetic: 'PV2146 Arithmetic where this form of plan has none; it stays text.',
  formatConflict: 'PV2147 A list of output_vars wants JSON, but response_format is text.',
  unreachable: 'PV2148 No path leads to a step.',
  noAnswer: 'PV2149 No step sets final_answer.',
  lastStep: 'PV2150 The last step does not set final_answer.',
  blindCondition: 'PV2151 A condition shows the model no data.',
  noObjective: 'PV2152 An instruction has no execution_objective.',
};

const codeLength = 'PV0000'.length;

export type CodeName = keyof typeof table;

export const codeOf = (name: CodeName): string => table[name].slice(0, codeLength);

/** The code with which a plan fails that runs off its end. */
export const ranOffTheEnd = 'PV3050';

/** Every code of the stackvm dialects with its meaning. */
export const codes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.values(table).map((row) => [row.slice(0, codeLength), row.slice(codeLength + 1)]),
  ),
  [ranOffTheEnd]: 'A plan has run off its end without setting final_answer.',
};
