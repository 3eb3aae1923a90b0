/** Codes of what can go wrong between a goal and a program. */
export const codes: Readonly<Record<string, string>> = {
  PV7001: 'The model answered without a program; its words say why.',
  PV7002: 'The program still had errors after the last round of corrections.',
};
