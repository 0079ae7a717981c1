import { toAtomicAmount } from './atomic-amount.ts';
import type { JsonObject } from '../parsing/json.ts';
import type { EndpointDefinition, Token } from '../scenario/scenario-schema.ts';
import type { EndpointState } from '../scenario/timeline.ts';
import { deriveWalletAddress } from '../scenario/seeded-wallet.ts';

/** Network, token, amount and receiver of a payment that an endpoint accepts, independent of the x402 version. */
export interface Offer {
  readonly network: string;
  readonly v1Network: string | null;
  readonly asset: string;
  readonly amount: bigint;
  readonly payTo: string;
  readonly extra: JsonObject;
}

export interface OfferContext {
  readonly seed: string;
  readonly tokens: Readonly<Record<string, Token>>;
  readonly endpoint: EndpointDefinition;
  readonly state: EndpointState;
  /**
   * Price of the requested item as a multiple of the endpoint's price. It is 1 for an endpoint without a path template.
   */
  readonly priceFactor: number;
}

function scaleAmount(amount: bigint, factor: number): bigint {
  return (amount * BigInt(Math.round(factor * 1_000))) / 1_000n;
}

/**
 * Creates the member `extra` of an offer: the EIP-712 domain of an EVM token, or the fee payer's account on Solana
 * (x402 exact scheme, EVM and SVM).
 */
function createExtra(token: Token, seed: string): JsonObject {
  return token.domain
    ? { ...token.domain }
    : { feePayer: deriveWalletAddress(seed, 'fee-payer', token.network) };
}

/** Puts a wrong token address or a wrong EIP-712 name into an offer when the endpoint's behaviour demands it. */
function applyOfferFault(offer: Offer, { seed, endpoint, state }: OfferContext): Offer {
  if (state.behaviour.kind === 'fake-usdc')
    return { ...offer, asset: deriveWalletAddress(seed, `token of ${endpoint.name}`, offer.network) };
  if (state.behaviour.kind === 'wrong-domain')
    return { ...offer, extra: { ...offer.extra, name: state.behaviour.name } };
  return offer;
}

/** Creates one offer for each token that the endpoint accepts in the current state of its timeline. */
export function createOffers(context: OfferContext): Offer[] {
  return context.state.tokens.flatMap((name) => {
    const token = context.tokens[name];
    if (!token) return [];
    const offer: Offer = {
      network: token.network,
      v1Network: token.v1Network ?? null,
      asset: token.asset,
      amount: scaleAmount(toAtomicAmount(context.state.priceUsd, token.decimals), context.priceFactor),
      payTo: deriveWalletAddress(context.seed, context.state.wallet, token.network),
      extra: createExtra(token, context.seed),
    };
    return [applyOfferFault(offer, context)];
  });
}
