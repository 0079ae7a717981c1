import { writeFileSync } from 'node:fs';
import { compileContracts } from './compile-contracts.ts';

/** `npm run contracts -w @touchstone/sandbox`: writes what the contracts compile to, after a change of one. */
writeFileSync(new URL('contracts.generated.ts', import.meta.url), compileContracts());
