interface RefusalReason {
  /** Explanation of the reason, as one sentence for people. */
  readonly detail: string;
  /** True if facilitators give the reason only before they send a transaction to the chain. */
  readonly isBeforeBroadcast: boolean;
}

const beforeBroadcast = (detail: string): RefusalReason => ({ detail, isBeforeBroadcast: true });
const anyTime = (detail: string): RefusalReason => ({ detail, isBeforeBroadcast: false });

const BALANCE = beforeBroadcast('The payer does not hold enough USDC for this payment.');
const SIGNATURE = beforeBroadcast('The signature does not match the payer and the signed authorization.');
const AMOUNT = beforeBroadcast('The authorized amount differs from the price in the challenge.');
const RECIPIENT = beforeBroadcast('The authorization pays an address other than `payTo` of the challenge.');
const NETWORK = beforeBroadcast('The payment is for a network other than that of the challenge.');
const SCHEME = beforeBroadcast('The payment uses a scheme other than `exact`.');
const FAILED_TRANSACTION = anyTime('The transfer failed on the chain.');

/**
 * Known reasons of refused payments, from x402's exact scheme (section 9 of version 2, and the facilitator in
 * @x402/evm), from the facilitator of CDP (Coinbase Developer Platform), and from the x402 server. If a reason is not
 * in this table, the facilitator may already have sent a transaction to the chain.
 */
const REFUSAL_REASONS: ReadonlyMap<string, RefusalReason> = new Map(
  Object.entries({
    insufficient_funds: beforeBroadcast(
      'The payer does not hold enough USDC for this payment and its other unsettled payments.',
    ),
    insufficient_balance: BALANCE,
    invalid_exact_evm_insufficient_balance: BALANCE,
    invalid_signature: SIGNATURE,
    invalid_exact_evm_signature: SIGNATURE,
    invalid_exact_evm_payload_signature: SIGNATURE,
    invalid_exact_evm_payload_authorization_valid_after: beforeBroadcast(
      'The authorization is not valid yet: `validAfter` is in the future.',
    ),
    invalid_exact_evm_payload_authorization_valid_before: beforeBroadcast(
      'The authorization expires too early or too late: `validBefore` does not fit `maxTimeoutSeconds` of the challenge.',
    ),
    invalid_exact_evm_payload_authorization_value: AMOUNT,
    invalid_exact_evm_payload_authorization_value_mismatch: AMOUNT,
    invalid_exact_evm_authorization_value: AMOUNT,
    invalid_exact_evm_recipient_mismatch: RECIPIENT,
    invalid_exact_evm_payload_recipient_mismatch: RECIPIENT,
    invalid_exact_evm_network_mismatch: NETWORK,
    invalid_network: NETWORK,
    invalid_exact_evm_token_name_mismatch: beforeBroadcast(
      'The EIP-712 token name of the signature differs from that of the challenge.',
    ),
    invalid_exact_evm_token_version_mismatch: beforeBroadcast(
      'The EIP-712 token version of the signature differs from that of the challenge.',
    ),
    invalid_exact_evm_missing_eip712_domain: beforeBroadcast(
      'The payment terms lack the EIP-712 name and version of the token.',
    ),
    invalid_exact_evm_eip3009_not_supported: beforeBroadcast(
      'The token does not support EIP-3009 authorizations.',
    ),
    invalid_exact_evm_scheme: SCHEME,
    invalid_scheme: SCHEME,
    unsupported_scheme: SCHEME,
    invalid_payload: beforeBroadcast('The payment is not an EIP-3009 authorization of the scheme `exact`.'),
    invalid_payment: beforeBroadcast('The facilitator refused the payment and gave no usable reason.'),
    invalid_payment_requirements: beforeBroadcast('The facilitator does not accept these payment terms.'),
    invalid_x402_version: beforeBroadcast('The payment is not of x402 version 2.'),
    invalid_exact_evm_nonce_already_used: anyTime('The nonce of the authorization was already used.'),
    invalid_exact_evm_transaction_simulation_failed: anyTime('The transfer failed in a simulation.'),
    invalid_exact_evm_transaction_failed: FAILED_TRANSACTION,
    transaction_failed: FAILED_TRANSACTION,
    invalid_transaction_state: FAILED_TRANSACTION,
    settlement_failed: anyTime('The payment could not be settled.'),
    'No matching payment requirements': anyTime(
      'The payment accepts terms other than those of the challenge. Sign the challenge of this response.',
    ),
  }),
);

export function describeRefusal(reason: string | undefined): string {
  return REFUSAL_REASONS.get(reason ?? '')?.detail ?? 'The payment was refused; `error` has the reason.';
}

/** Returns `nonce-used` if a facilitator gives this reason for a used nonce; otherwise null. */
export function toVerification(reason: string): 'nonce-used' | null {
  return /nonce.*used|used.*nonce/i.test(reason) ? 'nonce-used' : null;
}

export function isBeforeBroadcast(reason: string): boolean {
  return REFUSAL_REASONS.get(reason)?.isBeforeBroadcast ?? false;
}
