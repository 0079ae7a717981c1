import { readFileSync } from 'node:fs';
import type { Decision } from '@touchstone/guard';
import { STORIES } from '@touchstone/trust/testing/sandbox-stories';
import type { PrivateKeyAccount } from 'viem/accounts';
import { beforeAll, expect, it } from 'vitest';
import { createWallet, readTransfersFrom } from '../support/payment/chain.ts';
import { createGuardedBuyer, type PaidRequest } from '../support/payment/guarded-buyer.ts';
import { runCli } from '../support/run-cli.ts';

const BASE = 'eip155:8453';
const NETWORKS = [BASE, 'eip155:137'];
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';

/**
 * Healthy endpoints that the tests of this file pay. Another test compares the sandbox ledger with the payments to the
 * best, the median and the worst endpoint. Payments of tests are not in the ledger, so this file pays other endpoints.
 */
const HEALTHY = {
  'version 2': { url: 'https://newswire.sandbox.test/v1/headlines', network: BASE, amount: '2000' },
  'version 1': { url: 'https://cryptick.sandbox.test/v1/price', network: BASE, amount: '500' },
  'both versions': { url: 'https://fxline.sandbox.test/v1/convert', network: BASE, amount: '1000' },
  Polygon: { url: 'https://tidewatch.sandbox.test/v1/tides', network: 'eip155:137', amount: '1000' },
};
/** Balance of a wallet, in atomic units: two dollars on each network. */
const BALANCE = 2_000_000n;

/** Wallet of all tests in this file. One wallet adds only one payer to the statistics of the endpoints. */
let account: PrivateKeyAccount;
beforeAll(async () => {
  account = await createWallet(BALANCE);
});

/** Reads the transfers from the wallet on all networks. */
async function readAllTransfers() {
  return (await Promise.all(NETWORKS.map((network) => readTransfersFrom(account, network)))).flat();
}

/** Reads the transfers from the wallet that are not in `before`. */
async function readTransfersSince(before: Awaited<ReturnType<typeof readAllTransfers>>) {
  const known = new Set(before.map(({ transaction }) => transaction));
  return (await readAllTransfers()).filter(({ transaction }) => !known.has(transaction));
}

/** Returns the codes of the reasons that stop a payment. */
const listAborts = ({ reasons }: Decision): readonly string[] =>
  reasons.filter(({ action }) => action === 'abort').map(({ code }) => code);

it.each(Object.entries(HEALTHY))(
  'pays a healthy endpoint exactly once: %s',
  async (_, { url, network, amount }) => {
    const before = await readAllTransfers();
    const { pay, decisions } = await createGuardedBuyer(account);
    expect(await pay({ url })).toBe(200);
    expect(decisions.map(({ action, reasons }) => ({ action, reasons }))).toEqual(
      decisions.map(() => ({ action: 'pay', reasons: [] })),
    );
    const { payTo, asset } = decisions[0]?.payment ?? { payTo: '', asset: '' };
    expect(await readTransfersSince(before)).toMatchObject([
      { network, asset: asset.toLowerCase(), payTo: payTo.toLowerCase(), amount },
    ]);
  },
);

/** Endpoints of the sandbox scenario. The sandbox validates this file when it starts, so the cast is safe. */
const { endpoints } = JSON.parse(
  readFileSync(new URL('../../sandbox/scenario.json', import.meta.url), 'utf8'),
) as { endpoints: readonly (PaidRequest & { story: string })[] };

/**
 * Names of test stories (simulated situations) with the recommendation `avoid`. Their endpoints respond with a
 * challenge.
 */
const REFUSED_STORIES = [
  'bad-base64',
  'base64url',
  'fake-usdc',
  'no-accepts',
  'no-amount',
  'no-eip712-domain',
  'no-pay-to',
  'oversized-header',
  'payto-swap-recent',
  'price-spike',
  'truncated-json',
  'unknown-network',
  'v2-body-only',
  'wrong-eip712-name',
];

it('no endpoint with the recommendation avoid is paid', async () => {
  const before = await readAllTransfers();
  const refused = new Set<string>();
  const avoided = endpoints.filter(({ story }) => STORIES[story]?.recommendation === 'avoid');
  expect(avoided.length).toBeGreaterThan(20);
  await Promise.all(
    avoided.map(async ({ story, ...request }) => {
      const { pay } = await createGuardedBuyer(account);
      const result = await pay(request).catch((error: unknown) => error);
      if (result instanceof Error && result.name === 'PaymentRefusedError') refused.add(story);
      else if (typeof result === 'number') expect(result, request.url).toBeGreaterThanOrEqual(400);
    }),
  );
  expect([...refused].sort()).toEqual(REFUSED_STORIES);
  expect(await readAllTransfers()).toEqual(before);
});

/** Healthy endpoints that no other test pays or watches. */
const CHANGEABLE = [
  'https://geomark.sandbox.test/v1/geocode',
  'https://corpdex.sandbox.test/v1/companies/search',
  'https://gasguru.sandbox.test/v1/gas/estimate',
  'https://ipnest.sandbox.test/v1/geolocation',
  'https://rarelens.sandbox.test/v1/rank',
  'https://mailproof.sandbox.test/v1/check',
  'https://sayso.sandbox.test/v1/text-to-speech',
  'https://rivergauge.sandbox.test/v1/levels',
];

/** Returns the endpoint whose latest probe is the newest. Its next probe is almost half an hour away. */
async function findLatestProbed(urls: readonly string[]): Promise<string> {
  const { guard } = await createGuardedBuyer(account);
  const terms = { network: BASE, asset: USDC, amount: '1', payTo: account.address };
  const probed = await Promise.all(
    urls.map(async (url) => {
      const { summary } = await guard.check({ url, ...terms });
      return { url, at: summary?.endpoint?.lastProbedAt ?? '' };
    }),
  );
  return probed.reduce((latest, each) => (each.at > latest.at ? each : latest)).url;
}

it('a recipient that changed after the latest probe is refused', async () => {
  const url = await findLatestProbed(CHANGEABLE);
  const before = await readAllTransfers();
  expect((await runCli(['sandbox', 'change', url, 'payto'])).code).toBe(0);
  try {
    const { pay, decisions } = await createGuardedBuyer(account);
    await expect(pay({ url })).rejects.toThrow('was never observed at this endpoint.');
    expect(decisions.map(listAborts)).toEqual([expect.arrayContaining(['pay-to-mismatch'])]);
    expect(await readAllTransfers()).toEqual(before);
  } finally {
    expect((await runCli(['sandbox', 'restore', url])).code).toBe(0);
  }
  const { pay } = await createGuardedBuyer(account);
  expect(await pay({ url })).toBe(200);
});
