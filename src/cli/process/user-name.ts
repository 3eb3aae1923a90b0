/** Who has called this command, for what is journaled of answers and approvals. */
import { userInfo } from 'node:os';

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the list of users, as in containers.
    return process.env.USER ?? 'somebody';
  }
}
