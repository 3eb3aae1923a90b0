/** The corpus test/golden/assembly: what the machine can do that no plan in JSON can write. */
import { assemble } from '../support/assembly/assembler.ts';
import { golden } from './run-golden.ts';

golden('assembly', assemble);
