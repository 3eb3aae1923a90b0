/** The codes of errors of the guest's library, with one line each for the reference page. */
export const codes: Readonly<Record<string, string>> = {
  PV3101: 'A built-in function was called with arguments that it does not take.',
  PV3102: 'Arithmetic without a result: a division by zero, a number that is too large.',
  PV3103: 'A value is neither true nor false.',
  PV3104: 'A built-in function has no result for its arguments, such as an item that is not there.',
  PV3105: 'The program ended itself with fail().',
};
