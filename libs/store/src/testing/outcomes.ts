import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { recordBuyerOutcome, type NewOutcome } from '../index.ts';
import { makeEndpoint, makeId, makePayOn, makeTerms, T0, toIso, type TestDatabase } from './fixtures.ts';
import { payerAddress, walletAddress } from './settlements.ts';

/** Network of the outcomes. */
export const NETWORK = 'eip155:8453';
/** Wallets of sellers. */
export const [FIRST, SECOND] = [walletAddress(1), walletAddress(2)];

let endpoints = 0;

let nonces = 0;
/** Returns a failure that a payer reports, of a payment an hour after T0. */
export function makeOutcome(endpointId: string, extra: Partial<NewOutcome> = {}): NewOutcome {
  const nonce = `0x${(nonces += 1).toString(16).padStart(64, '0')}`;
  const at = toIso(T0 + HOUR_MS);
  return {
    ...{ endpointId, nonce, network: NETWORK, payer: payerAddress(1), payTo: FIRST, amount: '1000' },
    ...{ transaction: `0xa${nonce.slice(3)}`, sender: walletAddress(9_000), paidAt: at, delivered: false },
    ...{ httpStatus: 502, bodySha256: null, observedAt: at, signature: '0x12' },
    ...extra,
  };
}

/** Returns functions that add endpoints and record outcomes. */
export function openOutcomes(database: TestDatabase) {
  /** Adds an endpoint whose challenges name a wallet and a price from a time on, and changes them at later times. */
  const addEndpoint = async (
    changes: readonly (readonly [at: number, payTo: string, amount: string])[],
    templated = false,
  ): Promise<string> => {
    const id = makeId((endpoints += 1));
    await database.discover(`outcomes ${id}`, T0, [makeEndpoint(id, { templated })]);
    await database.publish(id, T0);
    for (const [at, payTo, amount] of changes) {
      // Providers write addresses in mixed case.
      const options = [makePayOn({ network: NETWORK, payTo: payTo.replace('0x1', '0X1'), amount })];
      await database.observe(id, at, { terms: { ...makeTerms(amount, payTo, NETWORK), options } });
    }
    return id;
  };
  const record = async (outcome: NewOutcome, now = T0 + DAY_MS) => {
    const result = await recordBuyerOutcome(database.db, outcome, now);
    if (result === null) throw new Error('The endpoint is unknown.');
    return result;
  };
  return { addEndpoint, record };
}
