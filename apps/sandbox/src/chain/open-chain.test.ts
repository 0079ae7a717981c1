import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeFunctionData } from 'viem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../test-world.ts';
import { sandboxUsdcAbi } from './contracts.generated.ts';
import { USDC } from './network.ts';
import { openChain } from './open-chain.ts';
import type { ChainOptions, SandboxChain } from './open-chain.ts';
import { testBinary } from './test-chain.ts';
import { mintCall } from './token-calls.ts';

const GENESIS = 1_767_225_600;
const RICH = '0x00000000000000000000000000000000000000b1';
const mint = (value: bigint) => mintCall(RICH, value);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const open: SandboxChain[] = [];
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(async () => {
  for (const chain of open.splice(0)) {
    chain.stop();
    await chain.ended;
  }
  await folder.remove();
});

const opened = async (changes: Partial<ChainOptions> = {}): Promise<SandboxChain> => {
  const chain = await openChain({
    binary: testBinary(),
    dataDir: folder.path,
    genesis: GENESIS,
    payers: [],
    smartWallets: [],
    ...changes,
  });
  open.push(chain);
  return chain;
};
const balance = (chain: SandboxChain) =>
  chain.rpc.call('eth_call', [
    {
      to: USDC,
      data: encodeFunctionData({ abi: sandboxUsdcAbi, functionName: 'balanceOf', args: [RICH] }),
    },
    'latest',
  ]);
const tip = (chain: SandboxChain) => chain.rpc.call('eth_getBlockByNumber', ['latest', false]);
const logs = (chain: SandboxChain) =>
  chain.rpc.call('eth_getLogs', [{ address: USDC, fromBlock: '0x0', toBlock: 'latest' }]);
const blockSchema = z.object({ timestamp: z.string() });
const mintEach = async (chain: SandboxChain, values: readonly bigint[]) => {
  for (const value of values) await chain.mine({ at: 0, unsigned: [mint(value)], signed: [] });
};

describe('a chain', () => {
  test('says that it is Base, listens on the loopback address, and keeps to the time it is given', async () => {
    const chain = await opened();
    expect(chain.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await chain.rpc.call('eth_chainId')).toBe('0x2105');
    await chain.mine({ at: GENESIS + 3_600, unsigned: [mint(5n)], signed: [] });
    expect(chain.head()).toEqual({ number: 1, at: GENESIS + 3_600 });
    await chain.mine({ at: GENESIS, unsigned: [], signed: [] });
    expect(chain.head()).toEqual({ number: 2, at: GENESIS + 3_600 });
  });

  test('mines what is asked for at once in turn, and says what became of it', async () => {
    const chain = await opened();
    const mined = await Promise.all(
      [1n, 2n, 3n].map((value) => chain.mine({ at: 0, unsigned: [mint(value)], signed: [] })),
    );
    expect(
      mined.map(({ at, outcomes }) => [at - GENESIS, outcomes.map(({ succeeded }) => succeeded)]),
    ).toEqual([
      [0, [true]],
      [0, [true]],
      [0, [true]],
    ]);
    const stranger = await chain.mine({ at: 0, unsigned: [{ ...mint(1n), from: RICH }], signed: ['0x1234'] });
    expect(stranger.outcomes.map(({ succeeded }) => succeeded)).toEqual([false]);
    expect(stranger.refusal?.message).toContain('eth_sendRawTransaction');
    expect(BigInt(String(await balance(chain)))).toBe(6n);
  });
});

test('however much is paid in a second, the chain does not run ahead of its time', async () => {
  const chain = await opened();
  for (let block = 0; block < 50; block += 1) {
    await chain.mine({ at: GENESIS + 60, unsigned: [mint(1n)], signed: [] });
  }
  for (const tag of ['latest', 'pending']) {
    const { timestamp } = blockSchema.parse(await chain.rpc.call('eth_getBlockByNumber', [tag, false]));
    // The block that is not there yet has the node's time, which goes on.
    expect(Number(timestamp)).toBeLessThan(GENESIS + 90);
  }
});

describe('a request that fails', () => {
  /** Has the nth request from now on fail: before it is made, or so that only its answer is lost. */
  const failAt = (nth: number, after: boolean) => {
    const { fetch } = globalThis;
    let asked = 0;
    return vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) => {
      asked += 1;
      if (asked !== nth) return fetch(...given);
      if (after) await fetch(...given);
      throw new TypeError('fetch failed');
    });
  };

  test.each([1, 3, 5, 6].flatMap((nth) => [[nth, false] as const, [nth, true] as const]))(
    'leaves chain and journal the same: the one numbered %i, answer lost: %s',
    async (nth, after) => {
      const chain = await opened();
      await mintEach(chain, [1n]);
      const failing = failAt(nth, after);
      await mintEach(chain, [2n]);
      expect(failing.mock.calls.length).toBeGreaterThan(nth);
      failing.mockRestore();
      await mintEach(chain, [4n]);
      expect(BigInt(String(await balance(chain)))).toBe(7n);
      expect(chain.head().number).toBe(3);
      const before = [await tip(chain), await logs(chain)];
      chain.stop();
      await chain.ended;
      const again = await opened();
      expect([await tip(again), await logs(again)]).toEqual(before);
    },
  );

  test('closes the chain when the node cannot be asked any more', async () => {
    const chain = await opened();
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    await expect(mintEach(chain, [1n])).rejects.toThrow('fetch failed');
    vi.restoreAllMocks();
    await chain.ended;
    const again = await opened();
    expect([again.head().number, BigInt(String(await balance(again)))]).toEqual([1, 1n]);
  });
});

describe('over a restart', () => {
  test.each([
    ['from its journal', {}],
    ['from a kept state and the rest of the journal', { checkpointEvery: 2 }],
  ])('it is the same chain to the last hash, %s', async (_how, changes) => {
    const first = await opened(changes);
    await mintEach(first, [1n, 2n, 3n]);
    const before = [await tip(first), await balance(first), await logs(first)];
    first.stop();
    await first.ended;
    const second = await opened(changes);
    expect([await tip(second), await balance(second), await logs(second)]).toEqual(before);
    await mintEach(second, [4n]);
    expect(second.head().number).toBe(4);
    expect(BigInt(String(await balance(second)))).toBe(10n);
  });

  test.each([
    ['is damaged', '{"block": 7'],
    ['is of another chain', null],
  ])('it is made again from the journal when the kept state %s', async (_how, text) => {
    const first = await opened({ checkpointEvery: 2 });
    await mintEach(first, [1n, 2n, 3n]);
    const before = await tip(first);
    first.stop();
    await first.ended;
    const state = join(folder.path, 'chain-state.json');
    const kept = await readFile(state, 'utf8');
    await writeFile(state, text ?? kept.replaceAll(/"timestamp":"0x[0-9a-f]+"/g, '"timestamp":"0x1"'));
    expect(await tip(await opened())).toEqual(before);
  });

  test('a block that was cut short while it was written down never was', async () => {
    const first = await opened();
    await mintEach(first, [1n]);
    const before = await tip(first);
    first.stop();
    await first.ended;
    const journal = join(folder.path, 'chain.jsonl');
    await appendFile(journal, '{"at":17672');
    const second = await opened();
    expect(await tip(second)).toEqual(before);
    await mintEach(second, [2n]);
    expect((await readFile(journal, 'utf8')).split('\n')).toHaveLength(3);
  });

  test('a journal that is damaged further up stops it, with the place', async () => {
    await writeFile(join(folder.path, 'chain.jsonl'), 'rubbish\n');
    await expect(opened()).rejects.toThrow(/line 1 of .*chain\.jsonl is no block/);
  });
});
