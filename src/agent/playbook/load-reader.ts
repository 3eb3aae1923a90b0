/** Loads what reads playbooks: most programs are none. */
import { playbook, readPlaybooksWith } from '../../dialects/playbook/index.ts';

/** Where the dialect of a text, or of texts to come, is that of playbooks. */
export async function loadReaderOf(dialect: string | undefined): Promise<void> {
  if (dialect !== playbook.name) return;
  readPlaybooksWith(await import('../../dialects/playbook/reader.ts'));
}
