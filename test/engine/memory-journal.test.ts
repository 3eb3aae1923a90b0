import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { forkConformance } from './fork-conformance.ts';
import { innerConformance } from './inner-conformance.ts';
import { journalConformance } from './journal-conformance.ts';
import { nameConformance } from './name-conformance.ts';
import { removalConformance } from './removal-conformance.ts';

journalConformance('memory journal', memoryJournal);
forkConformance('memory journal', memoryJournal);
removalConformance('memory journal', memoryJournal);
innerConformance('memory journal', memoryJournal);
nameConformance('memory journal', memoryJournal);
