import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeFunctionData } from 'viem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { getAnvilBinary } from '../testing/test-chain.ts';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { createMintCall } from './chain-access.ts';
import { sandboxUsdcAbi } from './contracts.generated.ts';
import { BASE } from './network.ts';
import { openChain, type ChainOptions, type SandboxChain } from './open-chain.ts';

const GENESIS = 1_767_225_600;
const RECIPIENT = '0x00000000000000000000000000000000000000b1';

function mint(value: bigint) {
  return createMintCall(BASE, RECIPIENT, value);
}

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
const openChains: SandboxChain[] = [];
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(async () => {
  for (const chain of openChains.splice(0)) {
    chain.stop();
    await chain.ended;
  }
  await folder.remove();
});

async function openTestedChain(changes: Partial<ChainOptions> = {}): Promise<SandboxChain> {
  const chain = await openChain({
    network: BASE,
    binary: getAnvilBinary(),
    dataDir: folder.path,
    genesis: GENESIS,
    gasPayers: [],
    smartWallets: [],
    ...changes,
  });
  openChains.push(chain);
  return chain;
}

function balance(chain: SandboxChain) {
  return chain.rpc.call('eth_call', [
    {
      to: BASE.usdc,
      data: encodeFunctionData({ abi: sandboxUsdcAbi, functionName: 'balanceOf', args: [RECIPIENT] }),
    },
    'latest',
  ]);
}

function tip(chain: SandboxChain) {
  return chain.rpc.call('eth_getBlockByNumber', ['latest', false]);
}

function logs(chain: SandboxChain) {
  return chain.rpc.call('eth_getLogs', [{ address: BASE.usdc, fromBlock: '0x0', toBlock: 'latest' }]);
}

const blockSchema = z.object({ timestamp: z.string() });

async function mintEach(chain: SandboxChain, values: readonly bigint[]) {
  for (const value of values) await chain.mine({ at: 0, unsigned: [mint(value)], signed: [] });
}

describe('a chain', () => {
  test('has the chain id of Base, listens on the loopback address, and uses the given block times', async () => {
    const chain = await openTestedChain();
    expect(chain.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await chain.rpc.call('eth_chainId')).toBe('0x2105');
    await chain.mine({ at: GENESIS + 3_600, unsigned: [mint(5n)], signed: [] });
    expect(chain.head()).toEqual({ number: 1, at: GENESIS + 3_600 });
    await chain.mine({ at: GENESIS, unsigned: [], signed: [] });
    expect(chain.head()).toEqual({ number: 2, at: GENESIS + 3_600 });
  });
});

test('the chain time stays close to the requested time when many payments share a second', async () => {
  const chain = await openTestedChain();
  for (let block = 0; block < 50; block += 1) {
    await chain.mine({ at: GENESIS + 60, unsigned: [mint(1n)], signed: [] });
  }
  for (const tag of ['latest', 'pending']) {
    const { timestamp } = blockSchema.parse(await chain.rpc.call('eth_getBlockByNumber', [tag, false]));
    // The pending block has the time of the node's clock. This clock must also stay close to the requested time.
    expect(Number(timestamp)).toBeLessThan(GENESIS + 90);
  }
});

describe('a request that fails', () => {
  /**
   * Makes the nth request fail. If `after` is false, the request is not sent. If `after` is true, the node processes
   * the request, but its response is lost.
   */
  const failAt = (nth: number, after: boolean) => {
    const { fetch } = globalThis;
    let count = 0;
    return vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) => {
      count += 1;
      if (count !== nth) return fetch(...given);
      if (after) await fetch(...given);
      throw new TypeError('fetch failed');
    });
  };

  test.each([1, 3, 5, 6].flatMap((nth) => [[nth, false] as const, [nth, true] as const]))(
    'keeps chain and journal equal when request %i fails, or when only its response is lost (%s)',
    async (nth, after) => {
      const chain = await openTestedChain();
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
      const again = await openTestedChain();
      expect([await tip(again), await logs(again)]).toEqual(before);
    },
  );

  test('stops the chain process when all requests fail, and the next start mines the block', async () => {
    const chain = await openTestedChain();
    const failing = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    await expect(mintEach(chain, [1n])).rejects.toThrow('fetch failed');
    failing.mockRestore();
    await chain.ended;
    const again = await openTestedChain();
    expect([again.head().number, BigInt(String(await balance(again)))]).toEqual([1, 1n]);
  });
});

describe('a chain process that was killed', () => {
  const findProcess = async (chain: SandboxChain, program: 'anvil' | 'watchdog'): Promise<number> => {
    const { port } = new URL(chain.url);
    for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
      const isWatchdog = command.includes('parent-watchdog');
      if (command.includes(`--port\0${port}`) && isWatchdog === (program === 'watchdog')) return Number(id);
    }
    throw new Error(`there is no ${program} of ${chain.url}`);
  };

  test.each(['anvil', 'watchdog'] as const)(
    'reports its end, and the next start has the same blocks (%s)',
    async (program) => {
      if (process.platform !== 'linux') return;
      const chain = await openTestedChain({ checkpointEvery: 2 });
      await mintEach(chain, [1n, 2n, 3n]);
      const before = await logs(chain);
      process.kill(await findProcess(chain, program), 'SIGKILL');
      expect(await chain.ended).toBe('killed by SIGKILL');
      const again = await openTestedChain();
      expect(await logs(again)).toEqual(before);
      await mintEach(again, [4n]);
      expect(BigInt(String(await balance(again)))).toBe(10n);
    },
  );
});

describe('after a restart', () => {
  test.each([
    ['is damaged', '{"block": 7'],
    ['belongs to another chain', null],
  ])('the chain is recreated from the journal when the checkpoint %s', async (_how, text) => {
    const first = await openTestedChain({ checkpointEvery: 2 });
    await mintEach(first, [1n, 2n, 3n]);
    const before = await tip(first);
    first.stop();
    await first.ended;
    const state = join(folder.path, 'chain-8453-state.json');
    const saved = await readFile(state, 'utf8');
    await writeFile(state, text ?? saved.replaceAll(/"timestamp":"0x[0-9a-f]+"/g, '"timestamp":"0x1"'));
    expect(await tip(await openTestedChain())).toEqual(before);
  });

  test('an incomplete last block of the journal is ignored', async () => {
    const first = await openTestedChain();
    await mintEach(first, [1n]);
    const before = await tip(first);
    first.stop();
    await first.ended;
    const journal = join(folder.path, 'chain-8453.jsonl');
    await appendFile(journal, '{"at":17672');
    const second = await openTestedChain();
    expect(await tip(second)).toEqual(before);
    await mintEach(second, [2n]);
    expect((await readFile(journal, 'utf8')).split('\n')).toHaveLength(3);
  });

  test('a damaged line of the journal fails the start, with its position', async () => {
    await writeFile(join(folder.path, 'chain-8453.jsonl'), 'rubbish\n');
    await expect(openTestedChain()).rejects.toThrow(/line 1 of .*chain-8453\.jsonl is damaged/);
  });
});
