/**
 * How variables, functions and playbooks may be called: in the letters of any language. A part of
 * patterns with the flag `u`.
 */
export const namePattern: string = String.raw`[\p{XIDS}_]\p{XIDC}*`;

const whole = new RegExp(`^${namePattern}$`, 'u');

export const isName = (text: string): boolean => whole.test(text);
