/** `planvm mcp` by HTTP, as a person starts it. */
import { onTestFinished } from 'vitest';
import type { Folder } from './cli.ts';

/** The address of a server, which ends with the test. */
export async function serving(folder: Folder, env: Record<string, string> = {}): Promise<string> {
  const served = folder.start(['mcp', '--http', '--port', '0'], { env });
  onTestFinished(async () => {
    served.process.kill('SIGINT');
    await served.ended;
  });
  let said = '';
  served.process.stdout?.on('data', (text: string) => {
    said += text;
  });
  await served.said('serving');
  return said.trim();
}
