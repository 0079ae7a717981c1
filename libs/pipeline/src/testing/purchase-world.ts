import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProviders } from '@touchstone/chain';
import { openSharedSandbox } from '@touchstone/common/testing';
import { openSandboxClient, type Sender } from '@touchstone/probe';
import { readChallenge } from '@touchstone/x402';
import { createPublicClient, http, parseAbi, parseAbiItem, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { createProbeSender } from '../create-probers.ts';
import type { PurchaseContext } from '../purchases/purchase-context.ts';
import { USDC } from './generated-sellers/seller.ts';
import { setBalance } from './generated-sellers/settle-payment.ts';
import { storeEndpoint, type EndpointChange } from './store-endpoint.ts';
import type { World } from './world.ts';

const NETWORK = 'eip155:8453';
/** Initial balance of the wallet: ten dollars. */
const BALANCE = 10_000_000n;
const ABI = parseAbi(['function balanceOf(address) view returns (uint256)']);
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** Functions through which a job reaches the outside. A test replaces them to interrupt the job. */
export interface Outside {
  readonly fetch: typeof globalThis.fetch;
  readonly send: Sender;
}

/**
 * Opens a wallet on a real chain, with which the job buys from endpoints of the sandbox that the tests share.
 *
 * @param world database of the job
 * @param privateKey key of a wallet that was opened before; a new wallet by default
 */
export async function openPurchaseWorld(
  world: Pick<World, 'connect'> & { readonly context: Pick<World['context'], 'db'> },
  privateKey?: Hex,
) {
  const sandbox = await openSharedSandbox();
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-purchases-'));
  const file = join(folder, 'sandbox.json');
  writeFileSync(file, JSON.stringify({ controlUrl: sandbox.controlUrl, caFile: sandbox.caFile }));
  const send = createProbeSender({ sandbox: await openSandboxClient(file), userAgent: 'test' });
  const chainUrl = sandbox.chainRpcUrls[NETWORK];
  const key = privateKey ?? generatePrivateKey();
  const account = privateKeyToAccount(key);
  const balance = { wallet: account.address, token: USDC, amount: BALANCE };
  if (privateKey === undefined) await setBalance(chainUrl, balance);
  const chain = createPublicClient({ chain: base, transport: http(chainUrl) });
  let shiftMs = 0;
  const now = (): number => Date.now() + shiftMs;

  /** Adds the shift of the clock to the times of blocks. Several test files share the chain. */
  const shiftBlocks =
    (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
    async (...request) => {
      const response = await fetch(...request);
      const seconds = Math.round(shiftMs / 1_000);
      const text = (await response.text()).replaceAll(
        /"timestamp":"(0x[0-9a-f]+)"/g,
        (_, time: string) => `"timestamp":"0x${(Number(time) + seconds).toString(16)}"`,
      );
      return new Response(text, { status: response.status });
    };
  /** Creates the RPC access to the chain. `otherUrls` are URLs of further providers. */
  const createChain = (fetch: typeof globalThis.fetch, otherUrls: readonly string[] = []) =>
    createProviders({
      ...{ network: NETWORK, urls: [chainUrl, ...otherUrls], fetch: shiftBlocks(fetch), now },
      sleep: () => Promise.resolve(),
    });
  const createContext = (outside: Partial<Outside> = {}): PurchaseContext => {
    const { fetch = globalThis.fetch } = outside;
    const providers = createChain(fetch);
    const budget = { purchase: '0.1', endpoint: '10', day: '10', total: '100' };
    return {
      ...{ db: world.connect(fetch), now, chains: [{ providers, confirmations: 0 }] },
      purchases: { account, budget, skip: [], send: outside.send ?? send },
    };
  };
  /** Reads all purchases, oldest first. */
  const readLedger = async () =>
    (await world.context.db.from('purchases').select('*').order('reserved_at').throwOnError()).data;

  return {
    send,
    now,
    createChain,
    createContext,
    key,
    /** Moves the clock of the job and the times of the chain forward. */
    advance: (ms: number) => {
      shiftMs += ms;
    },
    /** Stores an endpoint of the sandbox with the payment options of its challenge, as the scoring job does. */
    storeEndpoint: async (resource: string, query: Readonly<Record<string, string>>) => {
      const exampleRequest = { query: Object.entries(query), body: null };
      const limits = { timeoutMs: 10_000, maxReplyBytes: 1_048_576 };
      const request = { url: resource, method: 'GET', headers: {}, body: '', ...limits } as const;
      const { headers, body } = await send(request);
      const { options } = readChallenge({ url: resource, method: 'GET', status: 402, headers, body });
      const payOn = options.map(({ amount, ...option }) => ({
        ...option,
        amount: amount === null ? null : String(amount),
      }));
      const price = options[0]?.amountUsd ?? null;
      const change: EndpointChange = {
        ...{ resource, exampleRequest, payOn, amountUsd: price, highestPriceUsd30d: price },
        lastProbedAt: new Date(now()).toISOString(),
      };
      const id = await storeEndpoint(world.context.db, now(), change);
      await world.context.db.from('endpoints').update({ probe_url: resource }).eq('id', id).throwOnError();
      return id;
    },
    readLedger,
    /**
     * Reads the wallet and its transfers from the chain, and the charged purchases of the ledger. Amounts are in atomic
     * units. `undecided` is the number of purchases without an outcome or without a known charge.
     */
    readBooks: async () => {
      const args = { from: account.address };
      const query = { address: USDC as Hex, event: TRANSFER, args, fromBlock: 0n, strict: true } as const;
      const logs = await chain.getLogs(query);
      const call = { address: USDC as Hex, abi: ABI, functionName: 'balanceOf' } as const;
      const balance = await chain.readContract({ ...call, args: [account.address] });
      const ledger = await readLedger();
      const charged = ledger.filter((row) => row.charged);
      return {
        spent: BALANCE - balance,
        transfers: logs.map(({ transactionHash }) => transactionHash).toSorted(),
        ledger: {
          sum: BigInt(charged.reduce((sum, { amount }) => sum + amount, 0)),
          transactions: charged.map(({ transaction }) => transaction).toSorted(),
          undecided: ledger.filter((row) => row.outcome === null || row.charged === null).length,
        },
      };
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

export type PurchaseWorld = Awaited<ReturnType<typeof openPurchaseWorld>>;
