import { sqliteJournal } from '../../../src/engine/sqlite/journal.ts';
import { journalConformance } from '../journal-conformance.ts';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();
let count = 0;

journalConformance('SQLite journal', (options) => {
  return sqliteJournal(`${folder}/${count++}.db`, options);
});
