/** A program of one agent, whose first playbook has these steps. */
export const desk = (steps: string, rest = ''): string =>
  `# Desk\nYou are brief.\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;
