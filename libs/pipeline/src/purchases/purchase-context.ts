import { ChainUnreadableError, readFunds } from '@touchstone/chain';
import { parseDecimal, toUnits } from '@touchstone/common';
import type { PlannedRequest, PurchaseSettings } from '@touchstone/delivery';
import type { Sender } from '@touchstone/probe';
import type { PurchaseCandidate } from '@touchstone/store';
import { findCanonicalUsdc } from '@touchstone/x402';
import { limitProviders, type ChainSource } from '../chain-source.ts';
import type { PipelineContext } from '../context.ts';
import type { StepContext } from '../steps.ts';

/** Wallet and budget of test purchases, and the sender of their requests. */
export interface Purchases extends PurchaseSettings {
  readonly send: Sender;
}

/** External dependencies of the job that buys from endpoints. */
export type PurchaseContext = Pick<
  PipelineContext,
  'db' | 'now' | 'chains' | 'canaries' | 'logError' | 'purchases'
> &
  StepContext;

/** Dependencies of purchases, with a wallet. */
export type BuyContext = PurchaseContext & { readonly purchases: Purchases };

/**
 * Duration of the lease of a purchase, in milliseconds. A purchase takes at most two minutes, and its worker must not send
 * the payment after the lease has ended.
 */
export const LEASE_MS = 300_000;

/** Returns the RPC access to a network until the deadline of the step; undefined for a network without access. */
export function findSource(
  { chains = [], signal }: PurchaseContext,
  network: string,
): ChainSource | undefined {
  const source = chains.find(({ providers }) => providers.network === network);
  return source && { ...source, providers: limitProviders(source.providers, signal) };
}

/**
 * Lists the networks on which the wallet can pay: EVM networks with RPC access on which the wallet has the price of a
 * number of purchases in USDC. With less, a seller would refuse a payment without a fault of its own.
 */
export async function listFundedNetworks(context: BuyContext, purchases: number): Promise<readonly string[]> {
  const { account, budget } = context.purchases;
  const price = parseDecimal(budget.purchase);
  const funded = (context.chains ?? []).map(async ({ providers: { network } }) => {
    const usdc = network.startsWith('eip155:') ? findCanonicalUsdc(network) : null;
    const providers = findSource(context, network)?.providers;
    if (usdc === null || price === null || providers === undefined) return [];
    try {
      const query = { asset: toHex(usdc.asset), payer: toHex(account.address), nonces: [] };
      const { balance } = await readFunds(providers, query);
      if (balance >= toUnits(price, usdc.decimals) * BigInt(purchases)) return [network];
      context.logError?.(
        `Nothing is bought on ${network}: the wallet ${account.address} has too little USDC.`,
      );
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      context.logError?.(`Nothing is bought on ${network}: ${error.message}`);
    }
    return [];
  });
  return (await Promise.all(funded)).flat();
}

/** Returns a stored hexadecimal value as the type of the chain readers, in lower case. */
export function toHex(text: string): `0x${string}` {
  return `0x${text.slice(2).toLowerCase()}`;
}

/** A candidate, and the request that the purchase sends. */
export interface PlannedPurchase {
  readonly candidate: PurchaseCandidate;
  readonly request: PlannedRequest;
}
