/** Codes of the loops over tasks, beside those of all planning (`../codes.ts`). */
export const codes: Readonly<Record<string, string>> = {
  PV7201: 'A model that was to join what tasks came to said neither Finish nor Replan, twice.',
  PV7202: 'No plan of tasks came about: what the model wrote cannot be carried out.',
  PV7203: 'Another plan of tasks is needed, and no further one may follow.',
  PV7204: 'A task of a plan failed whose results are the answer.',
  PV7205: 'A model makes the same call again although it was told of it.',
  PV7206: 'A model that acts step by step has no replies left.',
  PV7207: 'A model that acts step by step wrote neither an action nor an answer, twice.',
  PV7208: 'A tool of the user has the name of an effect or an input of the loop.',
  PV7209: 'Something was said of an answer, for which a model that acts step by step goes on.',
  PV7210: 'A run of playbooks was made by a version that played their lines otherwise.',
};
