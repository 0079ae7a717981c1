import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TERMS_CASES } from '@touchstone/trust/testing/terms-changes';
import {
  makeEndpoint,
  openTestDatabase,
  makeObservation,
  T0,
  makeTerms,
  type TestDatabase,
} from '../testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/**
 * The database and the scoring formula detect changes by the same rule, so both are tested with the table TERMS_CASES.
 */
describe('recording detects the changes between two sets of payment terms:', () => {
  it.each(TERMS_CASES.map((each, index) => ({ ...each, id: `termscase${String.fromCharCode(97 + index)}` })))(
    '$name',
    async ({ id, before, after, kinds }) => {
      await database.discover(`terms ${id}`, T0, [makeEndpoint(id)]);
      for (const [hour, compared] of [before, after].entries()) {
        const at = T0 + hour * HOUR_MS;
        await database.record(
          [makeObservation(id, at, { terms: { ...makeTerms('1', '0x'), ...compared } })],
          at + MINUTE_MS,
        );
      }
      expect((await database.readChangeKinds(id)).toSorted()).toEqual(['listed', ...kinds].toSorted());
    },
  );
});
