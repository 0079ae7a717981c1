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

const HEADER = 'eth_getBlockByNumber';
/** Reading position and settlements after all blocks of the busy chain were read. */
let read: Awaited<ReturnType<typeof readAll>>;
let chain: FakeChain;

beforeAll(async () => {
  const server = await serveRpc(createBusyChain());
  read = await readAll(openTestProviders([server.url]).providers, { ...ORDER, maxSpan: 100 });
  await server.close();
});
beforeEach(() => void (chain = createBusyChain()));

/** Starts one provider for each pair of a chain and a misbehaviour. */
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
/** Creates a misbehaviour: the nth request for a header is answered with the header of another branch. */
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
    // Reading restarts after block 2,899, the end of the last step of 100 blocks that the reorg did not change.
    expect(removals).toEqual([2_900n]);
    expect(formatSettlements(settlements)).toEqual(listExpected(branch));
  });

  test('when the only provider sends the new blocks twice, even for the whole chain', async () => {
    chain.reorg(0, 'from the beginning');
    chain.state.head = HEAD + 1;
    expect((await continueReading(await open([chain, null]))).removals).toEqual([0n]);
  });
});
