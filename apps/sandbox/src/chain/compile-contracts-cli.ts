import { writeFileSync } from 'node:fs';
import { compileContracts } from './compile-contracts.ts';

// `npm run contracts -w @touchstone/sandbox`: compiles the contracts again after a change.
writeFileSync(new URL('contracts.generated.ts', import.meta.url), compileContracts());
