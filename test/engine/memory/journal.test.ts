import { memoryJournal } from '../../../src/engine/memory/journal.ts';
import { journalConformance } from '../journal-conformance.ts';

journalConformance('memory journal', memoryJournal);
