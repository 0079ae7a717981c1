import {
  ChainUnreadableError,
  isMinedOnDemand,
  type AuthorizationQuery,
  type AuthorizationState,
  type Providers,
} from '@touchstone/chain';
import { encodePaymentResponseHeader } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import { isBeforeBroadcast } from '../gateway/refusal-reasons.ts';
import { waitForChain } from '../gateway/query-chain.ts';
import { toHex } from '../request/read-payment.ts';
import type { SignedRequest } from './check-payment.ts';
import type { Claim } from './paid-request.ts';

export type SettlementOutcome =
  | { readonly kind: 'settled'; readonly transaction: string; readonly receipt: string }
  /** `otherTransfer` is the transaction in which the nonce moved another amount to the wallet of the seller. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly receipt: string;
      readonly otherTransfer?: string;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Time after the end of an authorization until the authorization counts as expired, in milliseconds. A node can be some
 * blocks behind the chain.
 */
const EXPIRY_MARGIN_MS = 5 * MINUTE_MS;

/**
 * Returns the time from which the chain is searched for the use of an authorization, in milliseconds since the epoch: a
 * day before the payment was presented. A third party can use the authorization before the payment is presented.
 */
export function toSearchStart(presentedAt: number): number {
  return presentedAt - DAY_MS;
}

/**
 * Returns true if the newest block is later than the end of an unused authorization plus a margin. No later block can
 * then use the authorization.
 */
export function isExpired(
  { headAt }: Extract<AuthorizationState, { state: 'unused' }>,
  validBeforeMs: number,
): boolean {
  return headAt >= validBeforeMs + EXPIRY_MARGIN_MS;
}

/** Creates the PAYMENT-RESPONSE header of a settlement that was found on the chain. */
export function createReceipt(
  { payer, network }: { readonly payer: string; readonly network: string },
  transaction: string,
): string {
  return encodePaymentResponseHeader({
    success: true,
    transaction,
    // The cast is safe: each stored payment has the network of the gateway, and the gateway accepts only CAIP-2 ids.
    network: network as `${string}:${string}`,
    payer,
  });
}

export function createSettled<Input>({ request }: Claim<Input>, transaction: string): SettlementOutcome {
  const receipt = createReceipt(request.key, transaction);
  return { kind: 'settled', transaction, receipt };
}

export function createRefusedReceipt<Input>({ request, terms }: Claim<Input>, errorReason: string): string {
  return encodePaymentResponseHeader({
    success: false,
    errorReason,
    transaction: '',
    network: terms.network,
    payer: request.key.payer,
  });
}

/** Maximum number of readings until a block is recent enough. A node is usually at most one or two blocks behind. */
const MAX_READINGS = 9;
/** Pause between two readings, in milliseconds. */
const READING_PAUSE_MS = 1_000;
/** Maximum time of all readings together, in milliseconds. A buyer waits and a lease runs. */
const MAX_READING_MS = 10_000;
/** Minimum time that must be left for another reading, in milliseconds. */
const MIN_READING_MS = 1_000;

/** Maximum time by which our clock may be behind the time of a block, in milliseconds. */
const MAX_CLOCK_LAG_MS = 5_000;

/**
 * Returns true if a block is at most five seconds later than our clock. A later block proves nothing, because then our
 * clock is wrong.
 */
export function isClockPlausible(headAt: number, now: number): boolean {
  return headAt <= now + MAX_CLOCK_LAG_MS;
}

/** Chains whose node was asked if it makes blocks on demand. */
const onDemand = new WeakMap<Providers, Promise<boolean>>();

/** Returns true if a chain makes blocks on demand, and false if its node does not say so in time. */
function isOnDemand(chain: Providers): Promise<boolean> {
  const asked = onDemand.get(chain) ?? isMinedOnDemand(chain);
  onDemand.set(chain, asked);
  return waitForChain(chain, asked, MIN_READING_MS).catch(() => {
    onDemand.delete(chain);
    return false;
  });
}

export interface OutcomeReading extends Pick<AuthorizationQuery, 'since' | 'mayBeUsedBefore'> {
  /** Returns true if no later block than a block of this time is needed to know that an authorization is unused. */
  readonly isRecent: (headAt: number) => boolean;
  /** @throws ChainUnreadableError when the chain cannot be read, or after the timeout */
  readonly read: (query: AuthorizationQuery, timeoutMs: number) => Promise<AuthorizationState>;
}

/**
 * Reads the state of an authorization from the chain, compared with the terms of a payment. A block that is not recent
 * does not prove that the authorization is unused, because the node may lack a later block. The chain is then read
 * again, unless it makes blocks only on demand.
 * @returns null when the chain cannot be read, or no block is recent enough
 */
export async function readOutcome(
  { context, payment: { authorization } }: Pick<SignedRequest, 'context' | 'payment'>,
  { payTo, amount }: Pick<PaymentRequirements, 'payTo' | 'amount'>,
  { isRecent, read, ...search }: OutcomeReading,
): Promise<AuthorizationState | null> {
  const { chain, gateway, sleep } = context;
  const { payer, nonce, validBefore } = authorization;
  const transfer = { payer, payTo: toHex(payTo.toLowerCase()), nonce, amount: BigInt(amount) };
  const query = { asset: gateway.asset, ...transfer, ...search };
  const endsAt = performance.now() + MAX_READING_MS;
  const getRemainingMs = (): number => Math.ceil(endsAt - performance.now());
  try {
    for (let count = 1; count <= MAX_READINGS; count += 1) {
      const outcome = await read(query, getRemainingMs());
      const isFinal = outcome.state !== 'unused' || isExpired(outcome, Number(validBefore) * 1_000);
      if (isFinal || isRecent(outcome.headAt)) return outcome;
      if (count === 1 && (await isOnDemand(chain))) return outcome;
      if (getRemainingMs() < READING_PAUSE_MS + MIN_READING_MS) break;
      await sleep(READING_PAUSE_MS);
    }
  } catch (error) {
    if (!(error instanceof ChainUnreadableError)) throw error;
  }
  return null;
}

/**
 * Returns true if a refusal is final while the nonce is unused. The transaction of an earlier attempt may still be
 * pending, so a refusal of a later attempt is not final.
 */
export function canBeFinal<Input>({ attempt }: Claim<Input>, reason: string): boolean {
  return attempt === 1 && isBeforeBroadcast(reason);
}

/**
 * Decides the outcome of a settlement that the facilitator did not confirm, by the state of the authorization on the
 * chain:
 * - Paid: the payment is settled.
 * - Canceled, used for another transfer, or expired: the facilitator's refusal is final.
 * - Unused: the refusal is final only at the first attempt, and only if its reason occurs before a transaction is sent
 *   to the chain.
 * In all other cases the outcome is unknown, and the payment may be settled again.
 *
 * @param authorization state on the chain; null when it is not known
 */
export function judgeSettlement<Input>(
  { reason, receipt }: { readonly reason: string; readonly receipt: string },
  authorization: AuthorizationState | null,
  claim: Claim<Input>,
): SettlementOutcome {
  const refused = { kind: 'refused', reason, receipt } as const;
  const unknown = { kind: 'unknown', reason } as const;
  switch (authorization?.state) {
    case 'paid':
      return createSettled(claim, authorization.transaction);
    case 'paid-otherwise':
      return { ...refused, otherTransfer: authorization.transaction };
    case 'canceled':
    case 'used-otherwise':
      return refused;
    case 'unused': {
      if (isExpired(authorization, Number(claim.request.payment.authorization.validBefore) * 1_000))
        return refused;
      return canBeFinal(claim, reason) ? refused : unknown;
    }
    case 'used-before':
    case undefined:
      return unknown;
  }
}
