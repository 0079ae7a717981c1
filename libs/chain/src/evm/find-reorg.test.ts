import type { ChainCursor } from '@touchstone/x402';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createBusyChain,
  closeServers,
  listExpected,
  formatSettlements,
  HEAD,
  ORDER,
  serve,
} from '../testing/busy-chain.ts';
import type { FakeChain } from '../testing/fake-chain.ts';
import { openTestProviders, readAll } from '../testing/read-all.ts';
import { RpcError, type Misbehaviour } from '../testing/rpc-server.ts';

afterEach(closeServers);

const HEADER = 'eth_getBlockByNumber';
let chain: FakeChain;
let read: Awaited<ReturnType<typeof readAll>>;
let cursor: ChainCursor;

/** Providers of the chain as it is now, and of others, each with its misbehaviour. */
async function open(...served: [FakeChain, Misbehaviour | null][]) {
  const urls: string[] = [];
  for (const [of, misbehave] of served)
    urls.push(...(await serve(of, misbehave)).opened.map(({ url }) => url));
  return openTestProviders(urls).providers;
}
const goOn = (providers: Awaited<ReturnType<typeof open>>) =>
  readAll(providers, { ...ORDER, maxSpan: 100, cursor }, read.kept);
const forked = (from: number, name: string): FakeChain => {
  const branch = createBusyChain();
  branch.reorg(from, name);
  return branch;
};
/** The hash of a block on a branch that only the nth question for headers leads to. */
const once = (branch: FakeChain, nth: number): Misbehaviour => {
  let asked = 0;
  return ({ method, params }) => {
    if (method !== HEADER) return undefined;
    asked += 1;
    return asked === nth ? branch.answer(method, params) : undefined;
  };
};

beforeEach(async () => {
  chain = createBusyChain();
  read = await readAll(await open([chain, null]), { ...ORDER, maxSpan: 100 });
  ({ cursor } = read);
});

describe('nothing is taken back', () => {
  const noHeaders: Misbehaviour = ({ method }) => (method === HEADER ? null : undefined);

  test('when a node does not have a block that was read', async () => {
    await expect(goOn(await open([chain, noHeaders]))).rejects.toThrow(/does not have block 3000/);
    const { removals, settlements } = await goOn(await open([chain, noHeaders], [chain, null]));
    expect([removals, formatSettlements(settlements)]).toEqual([[], listExpected(chain)]);
  });

  test('when one of the nodes behind a URL answers null once', async () => {
    let asked = 0;
    const now: Misbehaviour = ({ method }) => (method === HEADER && (asked += 1) === 1 ? null : undefined);
    expect((await goOn(await open([chain, now]))).removals).toEqual([]);
  });

  test('when a node has pruned what a re-org is measured by', async () => {
    chain.reorg(2_950, 'other');
    const pruned: Misbehaviour = ({ method, params }) =>
      method === HEADER && Number(params[0]) < 2_990 ? null : undefined;
    await expect(goOn(await open([chain, pruned]))).rejects.toThrow(/does not have block 2899/);
  });

  test('on one answer from another branch', async () => {
    expect((await goOn(await open([chain, once(forked(2_950, 'a branch'), 1)]))).removals).toEqual([]);
  });

  test('when the others cannot be asked', async () => {
    const refusing: Misbehaviour = () => new RpcError(-32_000, 'no');
    const providers = await open([forked(100, 'a lie'), null], [chain, refusing]);
    await expect(goOn(providers)).rejects.toThrow(/no other provider confirms/);
  });

  test('when every provider names another block', async () => {
    const providers = await open([forked(100, 'a lie'), null], [forked(100, 'another lie'), null]);
    await expect(goOn(providers)).rejects.toThrow(/no other provider confirms/);
  });
});

describe('what was replaced is taken back', () => {
  test('when another provider confirms it', async () => {
    const branch = forked(2_950, 'other');
    const { removals, settlements } = await goOn(await open([branch, null], [branch, null]));
    expect(removals).toEqual([2_900n]);
    expect(formatSettlements(settlements)).toEqual(listExpected(branch));
  });

  test('when the only provider says so twice, even of everything', async () => {
    chain.reorg(0, 'from the beginning');
    chain.state.head = HEAD + 1;
    expect((await goOn(await open([chain, null]))).removals).toEqual([0n]);
  });
});
