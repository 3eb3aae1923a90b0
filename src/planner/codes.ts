/** Codes of what can go wrong between a goal and a program. */
export const codes: Readonly<Record<string, string>> = {
  PV7001: 'The model answered without a program; its words say why.',
  PV7002: 'The program still had errors after the last round of corrections.',
  PV7004: 'A control loop failed, or answered with something else than a program.',
  PV7005: 'A program that was written for a goal has no answer.',
  PV7006: 'A control loop called one of its effects with data of another form.',
  PV7007: 'A change of a program does not fit in its place, or changes nothing.',
  PV7008: 'A model that was to judge an answer gave no verdict.',
  PV7009: 'A program of a conversation lacks a guard, or declares an input in a wrong way.',
  PV7010: 'A control loop that was to make the outcome of an effect is no valid program.',
  PV7011: 'A helper that a sub-agent was to have is no tool of the run.',
  PV7012: 'Sub-agents were to go too deep within each other.',
  PV7013: 'The program that a sub-agent was to run is not valid.',
  PV7506: 'A model that continues a program has written statements that were run already.',
};
