/** Codes of what the verifier says, each with its meaning. */
export const codes: Readonly<Record<string, string>> = {
  PV2901: 'A program has more instructions than the limit.',
  PV2902: 'A program or one of its chunks is not put together as it must be.',
  PV2903: 'An instruction has no opcode.',
  PV2904: 'An operand names something that is not there.',
  PV2905: 'A constant is of a kind that its instruction cannot use, or could change.',
  PV2906: 'An instruction takes more values than there are on the stack.',
  PV2907: 'Two paths reach an instruction with different stacks.',
  PV2908: 'An iterator is used as a value, left open, or missing.',
  PV2909: 'A path runs off the end of its code.',
  PV2910: 'A handler of failures is malformed, or its region is left without a barrier.',
  PV2911: 'A function captures a variable that its enclosing code does not share.',
};
