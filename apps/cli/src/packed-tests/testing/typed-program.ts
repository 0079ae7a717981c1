/** Program that uses each entry of the guard with its types. */
export const TYPED_PROGRAM = `import { createGuard, fetchKeys, PaymentRefusedError, type Decision, type Guard } from '@touchstone/guard';
import { createFileJournal } from '@touchstone/guard/file';
import { verifyOffer } from '@touchstone/guard/offers';
const keys = await fetchKeys('https://touchstone.example');
const options = { service: 'https://touchstone.example', keys, journal: createFileJournal('payments.jsonl') };
const guard: Guard = createGuard({ ...options, verifyOffer, policy: { minGrade: 'B' } });
const payment = { url: 'https://a.example', network: 'eip155:8453', asset: '0x', amount: '1', payTo: '0x' };
export const decision: Decision = await guard.check(payment);
export const guarded: typeof fetch = guard.wrapFetch(fetch);
export const read = (error: unknown) => (error instanceof PaymentRefusedError ? error.decision.action : null);
// @ts-expect-error The grade E does not exist.
createGuard({ service: 'https://touchstone.example', keys, policy: { minGrade: 'E' } });
`;

/** Strictest configuration of TypeScript, without the types of Node.js. */
export const TYPED_PROGRAM_CONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: [],
    noEmit: true,
  },
  files: ['pay.ts'],
};
