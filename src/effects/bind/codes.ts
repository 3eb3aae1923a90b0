/** Codes of failures of `bind_arguments`, `llm_list_bind` and `coerce`. */
export const codes: Readonly<Record<string, string>> = {
  PV4180: 'Arguments are to be found in a list: one value is bound at a time.',
  PV4181: 'A model did not say in a form that can be read which arguments it has found.',
  PV4182: 'A model did not give a list of the wanted type, not even when asked again.',
  PV4183: 'A value cannot be made into the wanted type.',
  PV4184: 'A type is wanted that there is not.',
};
