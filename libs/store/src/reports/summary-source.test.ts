import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { normalizeAddress } from '@touchstone/x402';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSummarySource, type PaymentTerms, type PayOn, type SnapshotRow } from '../index.ts';
import {
  makeEndpoint,
  makeObservation,
  makeId,
  toIso,
  makePayOn,
  useTestDatabase,
  T0,
  DOWN,
} from '../testing/fixtures.ts';

const database = useTestDatabase();

const BASE = 'eip155:8453';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

interface Wallet {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: string;
}

const toOption = (wallet: Wallet): PayOn =>
  makePayOn({ ...wallet, assetSymbol: null, decimals: null, amountUsd: null });

/** Returns payment terms in the format that the pipeline stores: prices and wallets by network and asset. */
function toTerms(wallets: readonly Wallet[]): PaymentTerms {
  const prices: Record<string, string> = {};
  const payTo: Record<string, string[]> = {};
  for (const wallet of wallets) {
    const key = `${wallet.network}|${wallet.asset}`;
    prices[key] ??= wallet.amount;
    const known = new Set(payTo[key]).add(normalizeAddress(wallet.network, wallet.payTo));
    payTo[key] = [...known].sort();
  }
  const defects = {
    resourceInfoMissing: false,
    headerBodyMismatch: false,
    neededSettings: [],
    redirect: null,
  };
  return {
    version: 2,
    options: wallets.map(toOption),
    prices,
    payTo,
    falseUsdc: false,
    description: null,
    ...defects,
  };
}

let endpoints = 0;
/** Adds an endpoint with a snapshot. Returns its id. */
async function addEndpoint(change: Partial<SnapshotRow['snapshot']> = {}, isPublic = true): Promise<string> {
  const id = makeId((endpoints += 1));
  await database.discover(id, T0, [id]);
  await database.publish(id, T0, { public: isPublic, snapshot: change });
  return id;
}

const read = (endpointId: string, payTo: string | null = null, network: string | null = null) =>
  readSummarySource(database.db, { endpointId, place: null, network, payTo });
const toTime = (step: number): number => T0 + (step + 1) * HOUR_MS;

/** Records the payment terms of consecutive probes, one hour apart. */
async function recordHistory(id: string, history: readonly (readonly Wallet[])[]): Promise<void> {
  const observations = history.map((wallets, step) =>
    makeObservation(id, toTime(step), { terms: toTerms(wallets) }),
  );
  await database.record(observations, toTime(history.length));
}

const ADDRESSES = ['0xAbCd', '0xabcd', '0xeeee', 'SoLa', 'sola'] as const;
const anyWallet = fc.record({
  network: fc.constantFrom(BASE, 'eip155:1', SOLANA),
  asset: fc.constantFrom('0xusdc', '0xeurc'),
  payTo: fc.constantFrom(...ADDRESSES),
  amount: fc.constantFrom('100', '200'),
});
const anyHistory = fc.array(fc.array(anyWallet, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 8,
});

/** Returns the expected values of `observed`, `current` and `varies` for a wallet, computed from the whole history. */
function findExpected(history: readonly (readonly Wallet[])[], payTo: string, network: string | null) {
  const has = history.map((wallets) =>
    wallets.some(
      (wallet) =>
        (network === null || wallet.network === network) &&
        normalizeAddress(wallet.network, wallet.payTo) === normalizeAddress(wallet.network, payTo),
    ),
  );
  const current = has.at(-1) === true;
  return { observed: has.includes(true), current, varies: false };
}

const NOTHING = {
  snapshot: null,
  payTo: null,
  related: [],
  optedOutAt: null,
  knownEndpoints: null,
  provider: null,
};

describe('the wallet of a summary', () => {
  it('has the observations of every history, also of wallets that come back', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const id = await addEndpoint();
        await recordHistory(id, history);
        // A payTo that has stayed the same for a day varies no longer.
        await database.observe(id, toTime(history.length + 24));
        for (const payTo of ADDRESSES)
          for (const network of [null, BASE, SOLANA]) {
            const { payTo: found } = await read(id, payTo, network);
            expect(found, `${payTo} on ${String(network)}`).toMatchObject(
              findExpected(history, payTo, network),
            );
          }
      }),
      { numRuns: 8 },
    );
  });

  it('has the time at which it replaced another wallet in the last 30 days, and that wallet', async () => {
    const id = await addEndpoint({ lastProbedAt: toIso(toTime(1)) });
    const wallet = { network: BASE, asset: '0xusdc', amount: '1' };
    await recordHistory(id, [[{ ...wallet, payTo: '0xabcd' }], [{ ...wallet, payTo: '0xeeee' }]]);
    const readChange = async (payTo: string, network: string | null) => {
      const { changedAt, before } = (await read(id, payTo, network)).payTo ?? {};
      return [changedAt, before];
    };
    expect(await readChange('0xEEEE', null)).toEqual([toIso(toTime(1)), '0xabcd']);
    expect(await readChange('0xeeee', SOLANA)).toEqual([null, null]);
    expect(await readChange('0xabcd', BASE)).toEqual([null, null]);
    await database.publish(id, toTime(2), { snapshot: { lastProbedAt: toIso(toTime(1) + 30 * DAY_MS) } });
    expect(await readChange('0xeeee', BASE)).toEqual([null, null]);
  });

  it('is searched only in the latest 100 changes', async () => {
    const id = await addEndpoint();
    const history = Array.from({ length: 102 }, (_, step): Wallet[] => [
      { network: BASE, asset: '0xusdc', payTo: `0xa${step}`, amount: '1' },
    ]);
    await recordHistory(id, history);
    const wasReplaced = { observed: true, current: false };
    expect((await read(id, '0xa1')).payTo).toMatchObject(wasReplaced);
    expect((await read(id, '0xa100')).payTo).toMatchObject(wasReplaced);
    expect((await read(id, '0xa0')).payTo).toMatchObject({ observed: false, current: false });
  });

  it.each([
    ['on a network with a varying payTo', BASE, HOUR_MS, true],
    ['on all networks if the payTo of one network varies', null, HOUR_MS, false],
    ['on a network with an unchanged payTo', SOLANA, HOUR_MS, false],
    ['on a network without payment options', 'eip155:1', HOUR_MS, false],
    ['after a day without a change', BASE, 25 * HOUR_MS, false],
  ])('varies only if each current token varies: %s', async (...[, network, ageMs, varies]) => {
    const id = await addEndpoint({ lastProbedAt: new Date(toTime(3) + ageMs).toISOString() });
    const wallet = { asset: '0xusdc', amount: '1' };
    const history = ['0xa0', '0xa1', '0xa2', '0xa3'].map((payTo) => [
      { ...wallet, network: BASE, payTo },
      { ...wallet, network: SOLANA, payTo: 'SoLa' },
    ]);
    await recordHistory(id, history);
    expect((await read(id, '0xbb', network)).payTo?.varies).toBe(varies);
  });

  it('is compared with the payment options of the listing before the first challenge', async () => {
    const option = toOption({ network: BASE, asset: '0xusdc', payTo: '0xAA', amount: '1' });
    const id = await addEndpoint({ payOn: [option] });
    expect((await read(id, '0xaa')).payTo).toMatchObject({ observed: true, current: true, varies: false });
    expect((await read(id, '0xaa', 'eip155:1')).payTo?.observed).toBe(false);
  });

  it('is null when none is requested, and for an endpoint without a public snapshot', async () => {
    const option = toOption({ network: BASE, asset: '0xusdc', payTo: '0xAA', amount: '1' });
    expect((await read(await addEndpoint({ payOn: [option] }))).payTo).toBeNull();
    const removed = await addEndpoint({ payOn: [option] }, false);
    expect(await read(removed, '0xAA')).toEqual(NOTHING);
    expect(await read('unknownnnn', '0xAA')).toEqual(NOTHING);
  });
});

describe('the source of a summary', () => {
  it('has the public snapshot with its price range', async () => {
    const range = { lowestPriceUsd30d: '0.01', highestPriceUsd30d: '0.03' };
    const id = await addEndpoint(range);
    const { snapshot } = await read(id);
    expect(snapshot).toMatchObject({ ...range, endpointId: id, firstSeen: '2026-11-01T00:00:00.000Z' });
    expect(snapshot).not.toHaveProperty('contentHash');
  });

  it('has the time of the latest probe and of its failure, which can be newer than the snapshot', async () => {
    const id = await addEndpoint({ lastProbedAt: toIso(T0), failingSince: toIso(T0) });
    await database.observe(id, toTime(1));
    const probed = { lastProbedAt: toIso(toTime(1)), failingSince: null };
    expect((await read(id)).snapshot).toMatchObject(probed);
    await database.observe(id, toTime(2), DOWN);
    const failed = { lastProbedAt: toIso(toTime(2)), failingSince: toIso(toTime(2)) };
    expect((await read(id)).snapshot).toMatchObject(failed);
    // A live probe with an unchanged result renews the time of the snapshot only.
    await database.publish(id, toTime(3), { snapshot: { lastProbedAt: toIso(toTime(3)) } });
    expect((await read(id)).snapshot).toMatchObject({ lastProbedAt: toIso(toTime(3)) });
  });

  it('has the related endpoints of a place only for an endpoint without a snapshot', async () => {
    const id = await addEndpoint();
    const host = `${id}.example.com`;
    const place = { host, pathUrl: `https://${host}/` };
    const query = { endpointId: 'unknownnnn', network: null, payTo: null };
    const { related, knownEndpoints } = await readSummarySource(database.db, { ...query, place });
    expect(knownEndpoints).toBe(1);
    expect(related.map(({ resource }) => resource)).toEqual([`https://${host}/`]);
    expect((await readSummarySource(database.db, { ...query, place: null })).related).toEqual([]);
    const sibling = { host, resource: `https://${host}/?a=1` };
    await database.discover('sibling', T0, [makeEndpoint('siblingaaa', sibling)]);
    await database.publish('siblingaaa', T0, { snapshot: sibling });
    const known = await readSummarySource(database.db, { ...query, place, endpointId: id });
    expect(known).toMatchObject({ snapshot: { endpointId: id }, related: [] });
  });
});
