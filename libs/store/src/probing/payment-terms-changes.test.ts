import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TERMS_CASES } from '@touchstone/trust/testing/terms-changes';
import {
  HOUR,
  makeEndpoint,
  MINUTE,
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

/** The database and the formula's own tests fold histories by the same rule, held to the same table. */
describe('recording says of two sets of terms what has changed:', () => {
  it.each(TERMS_CASES.map((each, place) => ({ ...each, id: `termscase${String.fromCharCode(97 + place)}` })))(
    '$name',
    async ({ id, before, after, kinds }) => {
      await database.discover(`terms ${id}`, T0, [makeEndpoint(id)]);
      for (const [hour, compared] of [before, after].entries()) {
        const at = T0 + hour * HOUR;
        await database.record(
          [makeObservation(id, at, { terms: { ...makeTerms('1', '0x'), ...compared } })],
          at + MINUTE,
        );
      }
      expect((await database.readChangeKinds(id)).toSorted()).toEqual(['listed', ...kinds].toSorted());
    },
  );
});
