import { writeFileSync } from 'node:fs';
import { compileContracts } from './compile-contracts.ts';

// Run this with `npm run contracts -w @touchstone/sandbox` after a change of a contract.
writeFileSync(new URL('contracts.generated.ts', import.meta.url), compileContracts());
