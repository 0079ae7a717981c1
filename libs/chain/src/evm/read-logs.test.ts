import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import { toTestAddress, createFakeChain, USDC, type FakeLog } from '../testing/fake-chain.ts';
import { createLogFilters, TRANSFER_TOPIC } from './logs.ts';
import { readLogs } from './read-logs.ts';

const wallets = [1, 2, 3].map(toTestAddress);
const [filter] = createLogFilters({ token: USDC, event: TRANSFER_TOPIC, position: 2 }, wallets);
if (!filter) throw new TypeError('no filter was made');

/**
 * Creates a provider for a chain in memory. `refuse` gets each result and returns the result to send, or null to refuse
 * the request as too large.
 */
function createChainProvider(
  chain: ReturnType<typeof createFakeChain>,
  refuse: (blocks: number, logs: FakeLog[]) => FakeLog[] | null,
): Provider & { readonly ranges: [bigint, bigint][] } {
  const ranges: [bigint, bigint][] = [];
  return {
    label: 'it',
    ranges,
    call: async (method, params, schema) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      const logs = chain.respond(method, params) as FakeLog[];
      const result = refuse(Number(BigInt(toBlock) - BigInt(fromBlock)) + 1, logs);
      if (result === null) throw new RpcFailure('too-large', 'responded that it is too large');
      ranges.push([BigInt(fromBlock), BigInt(toBlock)]);
      return schema.parse(result);
    },
    callMany: () => Promise.reject(new Error('not used in this test')),
  };
}

const payment = fc.record({
  block: fc.integer({ min: 0, max: 200 }),
  from: fc.constantFrom(toTestAddress(50), toTestAddress(51)),
  to: fc.constantFrom(...wallets, toTestAddress(60)),
  amount: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
});

describe('a provider with limits', () => {
  test('is read completely, every block once', async () => {
    const limits = fc.record({
      blocks: fc.integer({ min: 1, max: 220 }),
      logs: fc.integer({ min: 1, max: 30 }),
      from: fc.integer({ min: 0, max: 100 }),
      to: fc.integer({ min: 100, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(payment, { maxLength: 60 }), limits, async (payments, given) => {
        const chain = createFakeChain({ head: 200 });
        chain.add(...payments);
        const provider = createChainProvider(chain, (blocks, logs) =>
          blocks > given.blocks || (blocks > 1 && logs.length > given.logs) ? null : logs,
        );
        const range = { from: BigInt(given.from), to: BigInt(given.to) };
        const { logs } = await readLogs(provider, filter, range);
        const covered = provider.ranges.flatMap(([from, to]) =>
          Array.from({ length: Number(to - from) + 1 }, (_, i) => Number(from) + i),
        );
        expect(covered).toEqual(Array.from({ length: given.to - given.from + 1 }, (_, i) => given.from + i));
        const expected = payments.filter(
          ({ block, to }) => block >= given.from && block <= given.to && wallets.includes(to),
        );
        expect(logs.map(({ data }) => BigInt(data)).sort()).toEqual(
          expected.map(({ amount }) => amount).sort(),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('is read in smaller parts when a result has exactly 1,000 logs, down to one block and one wallet', async () => {
    const chain = createFakeChain({ head: 200 });
    const count = 2_600;
    for (let index = 0; index < count; index += 1) {
      chain.add({
        block: index % 100 < 80 ? 7 : index % 90,
        from: toTestAddress(50),
        to: toTestAddress(1 + (index % 3)),
        amount: BigInt(index + 1),
      });
    }
    const provider = createChainProvider(chain, (_, logs) => logs.slice(0, 1_000));
    const { logs, refusedDownTo } = await readLogs(provider, filter, { from: 0n, to: 200n });
    expect(new Set(logs.map(({ data }) => data)).size).toBe(count);
    expect(refusedDownTo).toBe(1);
  });
});

describe('a hostile result', () => {
  const chain = createFakeChain({ head: 200 });
  chain.add({ block: 10, from: toTestAddress(50), to: toTestAddress(1), amount: 5n });
  const [honest] = chain.respond('eth_getLogs', [
    { ...filter, fromBlock: '0x0', toBlock: '0xc8' },
  ]) as FakeLog[];
  if (!honest) throw new TypeError('the chain has no log');
  const read = (result: unknown[]) =>
    readLogs(
      createChainProvider(chain, () => result as FakeLog[]),
      filter,
      { from: 5n, to: 20n },
    );

  test.each<[string, Partial<FakeLog>]>([
    ['of a block outside the range', { blockNumber: '0x4' }],
    ['of a block beyond the range', { blockNumber: '0xffffffffffffffff' }],
    ['of another token', { address: toTestAddress(9) }],
    [
      'to another wallet',
      { topics: [honest.topics[0], honest.topics[1], `0x${'ab'.repeat(32)}`] as FakeLog['topics'] },
    ],
    ['of another event', { topics: [`0x${'cd'.repeat(32)}`, ...honest.topics.slice(1)] }],
    ['that was removed by a reorg', { removed: true }],
  ])('ignores a log %s', async (_, change) => {
    expect((await read([honest, { ...honest, ...change, logIndex: '0x77' }])).logs).toHaveLength(1);
  });

  test('returns a repeated log once', async () => {
    expect((await read([honest, honest, { ...honest }])).logs).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['two different logs with one index', { ...honest, data: `0x${'11'.repeat(32)}` }],
    ['a log without a block hash', { ...honest, blockHash: null, logIndex: '0x77' }],
    ['an index too large for any block', { ...honest, logIndex: '0xffffffffff' }],
    ['a block number that is not hexadecimal text', { ...honest, blockNumber: 10, logIndex: '0x77' }],
    ['text', 'not a log'],
  ])('rejects %s', async (_, log) => {
    await expect(read([honest, log])).rejects.toThrow(RpcFailure);
  });
});
