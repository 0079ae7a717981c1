import type { Anchor } from '@touchstone/x402';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createBusyChain,
  listExpected,
  formatSettlements,
  HEAD,
  ORDER,
  serve,
} from '../testing/busy-chain.ts';
import { toTestAddress, type FakeChain } from '../testing/fake-chain.ts';
import { openTestProviders, readAll } from '../testing/read-all.ts';
import { RpcError, serveRpc, type Misbehaviour } from '../testing/rpc-server.ts';
import { addAnchor } from './find-reorg.ts';

test('the number of anchors grows with the logarithm of the blocks', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 300 }), (steps) => {
      let anchors: Anchor[] = [];
      let number = 0n;
      for (const step of steps) {
        number += BigInt(step);
        anchors = addAnchor(anchors, { number, hash: `h${number}` });
        expect(anchors.at(-1)?.number).toBe(number);
      }
      expect(anchors.length).toBeLessThan(4 + 2 * Math.log2(Number(number) + 1) + 2);
      const numbers = anchors.map((anchor) => anchor.number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => Number(a - b)));
    }),
  );
});

test('keeps the four newest anchors, and older anchors at most twice as far back as the next newer one', () => {
  let anchors: Anchor[] = [];
  for (let number = 1n; number <= 1_000n; number += 1n) {
    anchors = addAnchor(anchors, { number, hash: '' });
    const distances = anchors.map((anchor) => Number(number - anchor.number)).reverse();
    expect(distances.slice(0, 4)).toEqual([0, 1, 2, 3].slice(0, distances.length));
    for (const [index, distance] of distances.entries()) {
      if (index >= 4) expect(distance).toBeLessThanOrEqual(2 * (distances[index - 1] ?? 0));
    }
    expect(distances.at(-1)).toBe(Number(number) - 1);
  }
  expect(anchors.length).toBeLessThan(25);
});

const HEADER = 'eth_getBlockByNumber';
/** Reading position and settlements after all blocks of the chain of `createBusyChain` were read. */
let read: Awaited<ReturnType<typeof readAll>>;
let chain: FakeChain;

beforeAll(async () => {
  const server = await serveRpc(createBusyChain());
  read = await readAll(openTestProviders([server.url]).providers, { ...ORDER, maxSpan: 100 });
  await server.close();
});
beforeEach(() => void (chain = createBusyChain()));

/** Starts one test provider for each pair of a chain and a fault (`Misbehaviour`). */
async function open(...chains: [FakeChain, Misbehaviour | null][]) {
  const urls: string[] = [];
  for (const [served, misbehave] of chains)
    urls.push(...(await serve(served, misbehave)).opened.map(({ url }) => url));
  return openTestProviders(urls).providers;
}
const continueReading = (providers: Awaited<ReturnType<typeof open>>) =>
  readAll(providers, { ...ORDER, maxSpan: 100, cursor: read.cursor }, new Map(read.kept));
const createFork = (from: number, name: string): FakeChain => {
  const branch = createBusyChain();
  branch.reorg(from, name);
  return branch;
};
/** Creates a provider fault: the response to the nth header request has the header of another branch. */
const once = (branch: FakeChain, nth: number): Misbehaviour => {
  let requests = 0;
  return ({ method, params }) => {
    if (method !== HEADER) return undefined;
    requests += 1;
    return requests === nth ? branch.respond(method, params) : undefined;
  };
};

describe('nothing is discarded', () => {
  const noHeaders: Misbehaviour = ({ method }) => (method === HEADER ? null : undefined);

  test('when a node lacks a block that was read', async () => {
    await expect(continueReading(await open([chain, noHeaders]))).rejects.toThrow(/does not have block 3000/);
    const { removals, settlements } = await continueReading(await open([chain, noHeaders], [chain, null]));
    expect([removals, formatSettlements(settlements)]).toEqual([[], listExpected(chain)]);
  });

  test('when one of the nodes behind a URL returns null once', async () => {
    let requests = 0;
    const now: Misbehaviour = ({ method }) => (method === HEADER && (requests += 1) === 1 ? null : undefined);
    expect((await continueReading(await open([chain, now]))).removals).toEqual([]);
  });

  test('when a node has pruned the anchors', async () => {
    chain.reorg(2_950, 'other');
    const pruned: Misbehaviour = ({ method, params }) =>
      method === HEADER && Number(params[0]) < 2_990 ? null : undefined;
    await expect(continueReading(await open([chain, pruned]))).rejects.toThrow(/does not have block 2899/);
  });

  test('when a single response is from another branch', async () => {
    expect(
      (await continueReading(await open([chain, once(createFork(2_950, 'a branch'), 1)]))).removals,
    ).toEqual([]);
  });

  test.each<[string, Misbehaviour | null]>([
    ['do not respond', () => new RpcError(-32_000, 'no')],
    ['have different blocks', null],
  ])('when the other providers %s', async (_, misbehave) => {
    const providers = await open(
      [createFork(100, 'forged'), null],
      [createFork(100, 'forged otherwise'), misbehave],
    );
    await expect(continueReading(providers)).rejects.toThrow(/no other provider confirms/);
  });

  test.each([1, 2])('when one provider contradicts the reorg of %i others', async (count) => {
    const forged = Array.from({ length: count }, (): [FakeChain, null] => [createFork(100, 'forged'), null]);
    const providers = await open(...forged, [chain, null]);
    const { removals, settlements } = await continueReading(providers);
    expect([removals, formatSettlements(settlements)]).toEqual([[], listExpected(chain)]);
  });

  test('when a provider lags', async () => {
    chain.state.head = HEAD - 500;
    await expect(continueReading(await open([chain, null]))).rejects.toThrow(
      'is behind the blocks that were read before',
    );
  });
});

describe('replaced blocks are discarded', () => {
  test('when another provider confirms the reorg, and the new blocks are read', async () => {
    const branch = createFork(2_950, 'other');
    branch.add({ block: 2_960, from: toTestAddress(52), to: toTestAddress(4), amount: 77n, signed: true });
    branch.state.head = HEAD + 5;
    const { removals, settlements } = await continueReading(await open([branch, null], [branch, null]));
    // Each reading step has 100 blocks. Reading restarts after block 2,899, because this block ends the last step
    // without a replaced block.
    expect(removals).toEqual([2_900n]);
    expect(formatSettlements(settlements)).toEqual(listExpected(branch));
  });

  test('when the only provider sends the new blocks twice, even for the whole chain', async () => {
    chain.reorg(0, 'from the beginning');
    chain.state.head = HEAD + 1;
    expect((await continueReading(await open([chain, null]))).removals).toEqual([0n]);
  });
});
