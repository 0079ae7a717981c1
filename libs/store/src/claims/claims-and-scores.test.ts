import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  DOWN,
  makeEndpoint,
  makeId,
  makeObservation,
  T0,
  toIso,
  useTestDatabase,
} from '../testing/fixtures.ts';
import { editClaim, type ClaimEdit } from './claim-settings.ts';
import { claimDueClaims, recordClaimCheck, verifyClaim, type ClaimCheck } from './claims.ts';

const database = useTestDatabase();
const [HOST, ID, CLAIM] = ['scored.example.com', makeId(7), `c_${'s'.repeat(26)}`];
const NOW = T0 + 5 * HOUR_MS;

const checks: fc.Arbitrary<ClaimCheck> = fc.constantFrom(
  { id: CLAIM, result: 'found', proof: 'file' },
  { id: CLAIM, result: 'missing' },
  { id: CLAIM, result: 'unreadable' },
);

const statement = { endpointId: ID, subject: 'down-now', text: 'We moved.' };
const maintenance = {
  endpointId: ID,
  startsAt: toIso(NOW + 1),
  endsAt: toIso(NOW + DAY_MS),
  text: 'We move.',
};
const edits: fc.Arbitrary<ClaimEdit> = fc.record(
  {
    contact: fc.constantFrom('security@example.com', null),
    statements: fc.subarray([statement]),
    maintenance: fc.subarray([maintenance]),
    optOut: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Step in the life of a claim. */
const steps = fc.oneof(
  fc.constant(() => {
    const claim = { id: CLAIM, host: HOST, proofKey: '', proof: 'dns' } as const;
    return verifyClaim(database.db, claim, { replaced: null, nextCheckAt: NOW, now: NOW });
  }),
  edits.map((edit) => () => editClaim(database.db, { id: CLAIM, edit, now: NOW })),
  checks.map((check) => async () => {
    const times = { now: NOW, leaseUntil: NOW + MINUTE_MS, nextCheckAt: NOW, unreadableBefore: NOW };
    await claimDueClaims(database.db, { ...times, limit: 10 });
    return recordClaimCheck(database.db, check, times);
  }),
);

it('claims leave the data of a score as it was, whatever happens to them', async () => {
  await database.discover('claims', T0, [makeEndpoint(ID, { host: HOST, resource: `https://${HOST}/paid` })]);
  for (const [hour, extra] of [{}, DOWN, {}].entries()) {
    const at = T0 + hour * HOUR_MS;
    await database.record([makeObservation(ID, at, extra)], at + MINUTE_MS);
  }
  const readInput = async () => {
    const input = await database.readInput(ID, NOW);
    // An opt-out removes the endpoint, and a return into the catalog requests a score from the same data.
    return { ...input, revision: 0, endpoint: { ...input?.endpoint, removed: false } };
  };
  const before = await readInput();
  expect(before.last24h?.scored).toBe(3);
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (life) => {
      for (const step of life) {
        await step();
        expect(await readInput()).toEqual(before);
      }
    }),
    { numRuns: 8 },
  );
});
