import { onTestFinished } from 'vitest';
import type { Settlement } from '@touchstone/x402';
import { toTestAddress, createFakeChain, type FakeChain } from './fake-chain.ts';
import { openTestProviders } from './read-all.ts';
import { serveRpc, type Misbehaviour, type RpcServer } from './rpc-server.ts';

const PAYERS = [50, 51, 52].map(toTestAddress);
const WALLETS = Array.from({ length: 40 }, (_, i) => toTestAddress(i));
export const HEAD = 3_000;
/** Query for all settlements from the first block to the last block. */
export const ORDER = { wallets: WALLETS, cursor: null, since: 0, confirmations: 0 } as const;

/**
 * Creates a chain of 3,000 blocks with 301 payments and 30 transfers from the wallets. Two of three payments have an authorization, some payments go to
 * wallets outside the query, and one is a payment of a wallet to itself.
 */
export function createBusyChain(): FakeChain {
  const chain = createFakeChain({ head: HEAD });
  for (let index = 0; index < 300; index += 1) {
    const block = index * 10;
    const from = PAYERS[index % 3] ?? toTestAddress(50);
    const to = index % 7 === 0 ? toTestAddress(900) : toTestAddress(index % 40);
    chain.add({ block, from, to, amount: BigInt(index + 1), signed: index % 3 !== 0 });
  }
  chain.add({ block: 1_234, from: toTestAddress(3), to: toTestAddress(3), amount: 7n, signed: true });
  for (let index = 0; index < 30; index += 1) {
    chain.add({ block: 95 + index * 90, from: toTestAddress(index), to: toTestAddress(50), amount: 3n });
  }
  return chain;
}

/** Lists the transfers of a chain that a reader must find, as sorted texts. */
export function listExpected(chain: FakeChain): string[] {
  const wallets = new Set<string>(WALLETS);
  return chain
    .transfers()
    .filter(({ block }) => block <= chain.state.head)
    .flatMap(({ block, from, to, amount, signed = false }) => {
      const text = `${block} ${from} ${to} ${amount}`;
      const received = wallets.has(to) ? [`${text} ${signed ? 'x402' : 'transfer'}`] : [];
      return wallets.has(from) ? [...received, `${text} sent`] : received;
    })
    .sort();
}

/** Formats settlements in the format of `listExpected`. */
export function formatSettlements(settlements: readonly Settlement[]): string[] {
  return settlements
    .map(
      ({ blockNumber, payer, payTo, amount, kind }) => `${blockNumber} ${payer} ${payTo} ${amount} ${kind}`,
    )
    .sort();
}

/**
 * Starts one test provider of the chain for each fault (`Misbehaviour`), until the end of the test. Null starts a
 * provider without a fault.
 */
export async function serve(chain: Pick<FakeChain, 'respond'>, ...misbehaviours: (Misbehaviour | null)[]) {
  const opened: RpcServer[] = [];
  for (const misbehave of misbehaviours) opened.push(await serveRpc(chain, misbehave ?? (() => undefined)));
  onTestFinished(async () => {
    for (const server of opened) await server.close();
  });
  return { opened, ...openTestProviders(opened.map(({ url }) => url)) };
}
