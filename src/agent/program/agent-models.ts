/** Which models follow agents of playbooks, as far as whoever runs them says so. */
import type { SaidModels } from '../../dialects/dialect.ts';
import type { AgentSettings } from '../port/settings.ts';

export const saidModels = ({ model, agentModels }: AgentSettings): SaidModels => ({
  ...(model && { own: model }),
  named: agentModels ?? {},
});

/** That of a playbook, `Desk.Main`, or of its agent; undefined for the run's own. */
export const modelFor = (
  playbook: string | undefined,
  models: ReadonlyMap<string, string>,
): string | undefined =>
  playbook === undefined
    ? undefined
    : (models.get(playbook) ?? models.get(playbook.slice(0, playbook.indexOf('.'))));
