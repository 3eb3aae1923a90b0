/** Codes of what models that follow playbooks can get wrong, beside those of all planning. */
export const codes: Readonly<Record<string, string>> = {
  PV7301: 'A model that follows a playbook wrote nothing that can be read as operations.',
  PV7302: 'A model reported a line that its playbook does not have.',
  PV7303: 'A model left out a line of its playbook.',
  PV7304: 'A model called a playbook, function or tool that there is not.',
  PV7305: 'A model did again what it had done already.',
  PV7306: 'A model called something with other arguments than it takes.',
  PV7307: 'A model named a variable that has no value.',
  PV7308: 'The reply of a model ended in the middle.',
  PV7309: 'A model reported a line that does not come after the one it was at.',
  PV7310: 'A model wrote an operation in a form that cannot be read.',
  PV7311: 'A model that was to say which triggers match said nothing that can be read, twice.',
  PV7321: 'A playbook took more turns than it may.',
  PV7322: 'A playbook comes to one line again and again, and nothing changes.',
  PV7323: 'Playbooks call each other deeper than they may.',
  PV7324: 'Two agents have talked with each other for more messages than they may.',
  PV7326: 'Playbooks of triggers set off triggers deeper than they may.',
};
