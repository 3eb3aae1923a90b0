/** The thread that asks a database for `sql`. */
import { serve } from '../apart/serve.ts';
import { askTables } from './ask-tables.ts';
import type { SqlInput } from './sql.ts';

serve<SqlInput>(askTables);
