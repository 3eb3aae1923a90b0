/** Loads what reads playbooks where the dialect of a text, or of texts to come, is theirs. */
export async function loadReaderOf(dialect: string | undefined): Promise<void> {
  if (dialect !== 'playbook') return;
  const { readPlaybooksWith } = await import('../../dialects/playbook/index.ts');
  readPlaybooksWith(await import('../../dialects/playbook/reader.ts'));
}
