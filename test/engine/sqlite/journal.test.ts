import type { Journal } from '../../../src/engine/journal/journal.ts';
import type { JournalOptions } from '../../../src/engine/journal/owner.ts';
import { sqliteJournal } from '../../../src/engine/journal/sqlite/journal.ts';
import { forkConformance } from '../fork-conformance.ts';
import { innerConformance } from '../inner-conformance.ts';
import { journalConformance } from '../journal-conformance.ts';
import { nameConformance } from '../name-conformance.ts';
import { removalConformance } from '../removal-conformance.ts';
import { temporaryFolder } from './folder.ts';

const folder = temporaryFolder();
let count = 0;
const open = (options: JournalOptions): Journal =>
  sqliteJournal(`${folder}/${count++}.db`, options);

journalConformance('SQLite journal', open);
forkConformance('SQLite journal', open);
removalConformance('SQLite journal', open);
innerConformance('SQLite journal', open);
nameConformance('SQLite journal', open);
