import { problemSchema } from '@touchstone/contract';
import { paymentStatusSchema } from '@touchstone/contract/operations/payment-status/response';
import { beforeEach, expect, it, vi } from 'vitest';
import { useTestDatabase } from '../../testing/test-database.ts';

const WORD = `0x${'7b'.repeat(32)}`;
const PAYER = `0x${'Ab'.repeat(20)}`;
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const NONCE = `network=eip155:8453&payer=${PAYER}&nonce=${WORD}&asset=${USDC}`;

const readPaymentStatus = vi.hoisted(() => vi.fn());
// The chain is the only dependency of the route that is not part of this service.
vi.mock('@touchstone/chain', async (load) => ({
  ...(await load<object>()),
  readPaymentStatus,
  isMinedOnDemand: () => Promise.resolve(false),
}));

const { database, getModules } = useTestDatabase(async () => {
  vi.stubEnv('RPC_URLS', 'eip155:8453=http://127.0.0.1:1/');
  return import('./payment-status-route.ts');
});
beforeEach(() => {
  database.reset();
  readPaymentStatus.mockReset();
  globalThis.touchstoneValues?.delete('payment-status-reader');
});

const get = async (query: string): Promise<Response> =>
  getModules().paymentStatusRoute.GET(new Request(`https://touchstone.example/v1/payment-status?${query}`));

const block = { block: 5, at: 1_790_000_000_000, confirmations: 20 };
const open = { state: 'open', reason: 'unused', block, payments: [] };

it('reads a payment once for concurrent requests, in any case and order of the query', async () => {
  readPaymentStatus.mockResolvedValue(open);
  const other = `nonce=${WORD.toUpperCase().replace('0X', '0x')}&payer=${PAYER}&asset=${USDC.toLowerCase()}&network=eip155:8453`;
  const responses = await Promise.all([get(NONCE), get(other), get(NONCE)]);
  for (const response of responses) {
    expect(response.headers.get('cache-control')).toBe('public, max-age=2');
    expect(paymentStatusSchema.parse(await response.json())).toMatchObject({ state: 'open', block: 5 });
  }
  await get(`${NONCE}&valid_before=1780272300`);
  expect(readPaymentStatus).toHaveBeenCalledTimes(2);
});

it('lets caches keep a final state longer', async () => {
  readPaymentStatus.mockResolvedValue({ ...open, state: 'cancelled', reason: 'confirmed' });
  const response = await get(NONCE);
  expect(response.headers.get('cache-control')).toBe('public, max-age=30');
  expect(await response.json()).toMatchObject({ state: 'cancelled', safeToPayAgain: true });
});

it('limits the readings of one client that run or wait', async () => {
  let finish: (reading: typeof open) => void = () => {};
  readPaymentStatus.mockReturnValue(
    new Promise((resolve) => {
      finish = resolve;
    }),
  );
  const queries = Array.from({ length: 9 }, (_, index) => `${NONCE}&valid_before=${String(index)}`);
  const pending = queries.map(get);
  const refused = await Promise.race(pending);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(readPaymentStatus.mock.calls.length).toBeLessThanOrEqual(2);
  finish(open);
  const statuses = (await Promise.all(pending)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(8);
});

it.each([
  ['', 'network', 'such as eip155:8453 for Base'],
  ['network=base&transaction=0x1', 'network', 'must be the CAIP-2 id of an EVM network or of Solana'],
  ['network=eip155:8453', 'transaction', 'give exactly one of them'],
  [`${NONCE}&transaction=${WORD}`, 'transaction', 'give exactly one of them'],
  [`network=eip155:8453&nonce=${WORD}`, 'payer', 'Send the wallet that signed the payment'],
  [`network=eip155:8453&payer=${PAYER}&nonce=${WORD}`, 'asset', 'each token has its own nonces'],
  [`network=eip155:8453&payer=${PAYER}&nonce=0x12`, 'nonce', '0x and 64 hexadecimal digits (EIP-3009)'],
  [`network=eip155:8453&payer=${PAYER}&nonce=${'9'.repeat(78)}`, 'nonce', 'at most 256 bits (Permit2)'],
  [`${NONCE}&valid_before=1780272300000`, 'valid_before', 'in Unix seconds'],
  [`network=${SOLANA}&payer=${PAYER}&nonce=7`, 'payer', `must be in the format of ${SOLANA}`],
  [`network=${SOLANA}&payer=${'A'.repeat(44)}&nonce=7`, 'nonce', 'where payments have no nonce'],
  [`${NONCE}&since=yesterday`, 'since', 'must be an ISO 8601 time in UTC'],
  [`network=eip155:8453&transaction=${WORD}&since=2026-06-01T00:00:00Z`, 'nonce', 'leave out'],
])('refuses "%s" and names %s', async (query, path, text) => {
  const response = await get(query);
  const { detail, errors } = problemSchema.parse(await response.json());
  expect([response.status, errors?.map((each) => each.path)]).toEqual([400, expect.arrayContaining([path])]);
  expect(JSON.stringify([detail, errors])).toContain(text);
  expect(readPaymentStatus).not.toHaveBeenCalled();
});
