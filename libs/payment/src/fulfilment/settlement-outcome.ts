import {
  ChainUnreadableError,
  isMinedOnDemand,
  readAuthorizationState,
  type AuthorizationQuery,
  type AuthorizationState,
} from '@touchstone/chain';
import { encodePaymentResponseHeader } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { isBeforeBroadcast } from '../gateway/refusal-reasons.ts';
import { queryChain } from '../gateway/query-chain.ts';
import { toHex } from '../request/read-payment.ts';
import type { SignedRequest } from './check-payment.ts';
import type { Claim } from './paid-request.ts';

/**
 * Outcome of a settlement. `isAudited` is true if the chain confirmed the settlement, and false if only the facilitator
 * confirmed the settlement.
 */
export type SettlementOutcome =
  | {
      readonly kind: 'settled';
      readonly transaction: string;
      readonly receipt: string;
      readonly isAudited: boolean;
    }
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

/** Maximum difference between our clock and block times, in milliseconds. */
const CLOCK_MARGIN_MS = 10 * MINUTE_MS;

/** Time before its end in which an authorization can be used, in milliseconds. Standard clients sign five minutes. */
const MAX_VALIDITY_MS = HOUR_MS;

/**
 * Returns the time from which the chain is searched for the use of an authorization, in milliseconds since the epoch:
 * ten minutes before the payment was presented, or an hour before its end. A third party can use the authorization
 * before the payment is presented.
 */
export function toSearchStart(presentedAt: number, validBeforeMs: number): number {
  return Math.min(presentedAt - CLOCK_MARGIN_MS, validBeforeMs - MAX_VALIDITY_MS);
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

/** Creates the outcome of a payment that a transaction on the chain paid. */
export function createAudited<Input>({ request }: Claim<Input>, transaction: string): SettlementOutcome {
  const receipt = createReceipt(request.key, transaction);
  return { kind: 'settled', transaction, receipt, isAudited: true };
}

/** Creates the PAYMENT-RESPONSE header of a refused settlement. */
export function createRefusedReceipt<Input>({ request, terms }: Claim<Input>, errorReason: string): string {
  return encodePaymentResponseHeader({
    success: false,
    errorReason,
    transaction: '',
    network: terms.network,
    payer: request.key.payer,
  });
}

/**
 * Maximum age of the last block for which an unused authorization counts as unused, in milliseconds. A node with an
 * older block may lack the block that used the authorization.
 */
const MAX_HEAD_AGE_MS = 30_000;

/**
 * Reads the state of an authorization from the chain, compared with the terms of a payment.
 * @returns null when the chain cannot be read, or when a node may lack the use of an unused authorization
 */
export async function readOutcome(
  { context, payment: { authorization } }: Omit<SignedRequest, 'terms' | 'hasCopies'>,
  { payTo, amount }: Pick<PaymentRequirements, 'payTo' | 'amount'>,
  search: Pick<AuthorizationQuery, 'since' | 'mayBeUsedBefore'>,
): Promise<AuthorizationState | null> {
  const { payer, nonce, validBefore } = authorization;
  const transfer = { payer, payTo: toHex(payTo.toLowerCase()), nonce, amount: BigInt(amount) };
  const query = { asset: context.gateway.asset, ...transfer, ...search };
  try {
    return await queryChain(context.chain, async (providers) => {
      const read = await readAuthorizationState(providers, query);
      if (read.state !== 'unused' || isExpired(read, Number(validBefore) * 1_000)) return read;
      const isFresh = context.now() - read.headAt <= MAX_HEAD_AGE_MS || (await isMinedOnDemand(providers));
      return isFresh ? read : null;
    });
  } catch (error) {
    if (error instanceof ChainUnreadableError) return null;
    throw error;
  }
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
      return createAudited(claim, authorization.transaction);
    case 'paid-otherwise':
      return { ...refused, otherTransfer: authorization.transaction };
    case 'canceled':
    case 'used-otherwise':
      return refused;
    case 'unused': {
      if (isExpired(authorization, Number(claim.request.payment.authorization.validBefore) * 1_000))
        return refused;
      // The transaction of an earlier attempt may still be pending, so a refusal of a later attempt is not final.
      return claim.attempt === 1 && isBeforeBroadcast(reason) ? refused : unknown;
    }
    case 'used-before':
    case undefined:
      return unknown;
  }
}
