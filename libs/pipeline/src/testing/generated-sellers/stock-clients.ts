import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createWalletClient, http, type Chain } from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { avalanche, base, baseSepolia, polygon } from 'viem/chains';
import { wrapFetchWithPayment as wrapFetchV1 } from 'x402-fetch';
import type { OpenSeller, SellerServers } from './seller-server.ts';
import type { Seller } from './seller.ts';

export type Method = 'GET' | 'POST';
type PayingFetch = typeof fetch;
type SpendControls = Parameters<x402Client['setSpendControls']>[0];

/** Payments that the stock clients sent, as values of their headers; empty for a client that paid nothing. */
type Payments = Readonly<Record<'v1' | 'v2', readonly string[]>>;

export interface StockClients {
  /** Address of the wallet of all clients. */
  readonly wallet: string;
  /** Calls a seller with the clients of both versions, as a program does that wants to pay. */
  pay(seller: Seller, method: Method): Promise<Payments>;
}

/** Limit of the version 1 clients for a single payment, in atomic units. */
const MAX_AMOUNT = 2n ** 256n;
/**
 * Settings that the buyer can change, by the error with which the version 2 client refuses all options because of its
 * default settings. No generated seller needs both settings, or the client of another scheme.
 */
const SETTINGS: readonly (readonly [error: RegExp, SpendControls])[] = [
  [/rejected by spendControls\.maxAmountPerPayment/, { maxAmountPerPayment: `$${'9'.repeat(80)}` }],
  [/rejected by spendControls: only default assets/, { allowedAssets: true }],
];

/** Calls the seller. Returns the error of the client as text; an empty text without an error. */
async function call(payingFetch: PayingFetch, { url }: OpenSeller, method: Method): Promise<string> {
  const content = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
  return payingFetch(url, { method, ...content })
    .then((response) => response.arrayBuffer())
    .then(() => '', String);
}

/** Creates the version 2 client with its default settings, or with the given settings. */
function createV2Fetch(signer: PrivateKeyAccount, settings?: SpendControls): PayingFetch {
  const client = new x402Client();
  registerExactEvmScheme(client, { signer });
  if (settings !== undefined) client.setSpendControls(settings);
  return wrapFetchWithPayment(fetch, client);
}

/**
 * Creates the version 1 clients without their limits: one with an account of all networks, and one for each network
 * with a wallet of this network.
 */
function createV1Fetches(account: PrivateKeyAccount): PayingFetch[] {
  const chains: Chain[] = [base, polygon, baseSepolia, avalanche];
  const wallets: unknown[] = chains.map((chain) =>
    createWalletClient({ account, chain, transport: http('http://127.0.0.1:1') }),
  );
  // The cast is needed, because the type declarations of the client use another version of viem.
  return [account, ...wallets].map((wallet) =>
    wrapFetchV1(fetch, wallet as Parameters<typeof wrapFetchV1>[1], MAX_AMOUNT),
  );
}

/** Creates the stock clients of both versions with a new key. */
export function createStockClients(servers: SellerServers): StockClients {
  const account = privateKeyToAccount(generatePrivateKey());
  const v1 = createV1Fetches(account);
  const v2 = createV2Fetch(account);
  const payWith = async (client: PayingFetch, seller: Seller, method: Method): Promise<readonly string[]> => {
    const opened = servers.open(seller);
    const error = await call(client, opened, method);
    const [, settings] = SETTINGS.find(([refusal]) => client === v2 && refusal.test(error)) ?? [];
    return settings === undefined
      ? opened.payments
      : payWith(createV2Fetch(account, settings), seller, method);
  };
  return {
    wallet: account.address,
    async pay(seller, method) {
      // Wallets of one network matter only for a choice of networks.
      const hasChoice = [seller.before, seller.after, seller.eurcOptions].some((each) => each !== undefined);
      const [byV2, ...byV1] = await Promise.all(
        [v2, ...(hasChoice ? v1 : v1.slice(0, 1))].map((client) => payWith(client, seller, method)),
      );
      return { v1: byV1.flat(), v2: byV2 ?? [] };
    },
  };
}
