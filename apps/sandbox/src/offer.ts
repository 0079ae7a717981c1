import { atomicAmount } from './atomic-amount.ts';
import type { JsonObject } from './json.ts';
import type { Endpoint, Token } from './scenario-schema.ts';
import type { EndpointState } from './timeline.ts';
import { walletAddress } from './wallet.ts';

/** One way to pay an endpoint, before it is written in a protocol version's words. */
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
  readonly endpoint: Endpoint;
  readonly state: EndpointState;
  /** Times the price, for an item of a templated path; at least 1. */
  readonly priceFactor: number;
}

const scaled = (amount: bigint, factor: number): bigint =>
  (amount * BigInt(Math.round(factor * 1_000))) / 1_000n;

/** An EVM token's EIP-712 domain, or on Solana the account that pays the fee (x402 exact scheme, EVM and SVM). */
const extraOf = (token: Token, seed: string): JsonObject =>
  token.domain ? { ...token.domain } : { feePayer: walletAddress(seed, 'fee-payer', token.network) };

const misdirected = (offer: Offer, { seed, endpoint, state }: OfferContext): Offer => {
  if (state.behaviour.kind === 'fake-usdc')
    return { ...offer, asset: walletAddress(seed, `token of ${endpoint.name}`, offer.network) };
  if (state.behaviour.kind === 'wrong-domain')
    return { ...offer, extra: { ...offer.extra, name: state.behaviour.name } };
  return offer;
};

/** What the endpoint asks for in this state, one offer for each token it takes. */
export const offersOf = (context: OfferContext): Offer[] =>
  context.state.tokens.flatMap((name) => {
    const token = context.tokens[name];
    if (!token) return [];
    const offer: Offer = {
      network: token.network,
      v1Network: token.v1Network ?? null,
      asset: token.asset,
      amount: scaled(atomicAmount(context.state.priceUsd, token.decimals), context.priceFactor),
      payTo: walletAddress(context.seed, context.state.wallet, token.network),
      extra: extraOf(token, context.seed),
    };
    return [misdirected(offer, context)];
  });
