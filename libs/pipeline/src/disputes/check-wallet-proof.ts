import { createHash } from 'node:crypto';
import { MINUTE_MS } from '@touchstone/common';
import { ChainUnreadableError, verifyMessage } from '@touchstone/chain';
import { formatDisputeMessage } from '@touchstone/contract/operations/dispute/dispute-message';
import {
  FORMER_WALLET_DAYS,
  MAX_SIGNATURE_AGE_MINUTES,
  type DisputeRequest,
  type WalletProof,
} from '@touchstone/contract/operations/dispute/schemas';
import type { DisputeSubject } from '@touchstone/store';
import { limitProviders } from '../chain-source.ts';
import { createInvalid, createOperationProblem } from '../problem.ts';
import type { DisputeContext, DisputeProblem, DisputeProof } from './dispute-context.ts';

/** Maximum time by which the clock of the signer may be ahead, in milliseconds. */
const MAX_AHEAD_MS = MINUTE_MS;
/** Timeout of the check of a contract wallet, in milliseconds. */
const CONTRACT_TIMEOUT_MS = 5_000;

type WalletContext = Pick<DisputeContext, 'baseUrl' | 'chains' | 'now'>;

/** Values of a dispute that its signed message names. */
export type SignedValues = Pick<DisputeRequest, 'resource' | 'subject' | 'text'> & {
  readonly wallet: string;
  readonly signedAt: string;
};

/** Returns the message that a wallet signs for a dispute. */
export function createDisputeMessage(baseUrl: string, values: SignedValues): string {
  return formatDisputeMessage({ ...values, origin: new URL(baseUrl).origin });
}

/**
 * Checks that a payTo wallet of the endpoint signed a dispute.
 *
 * @param subject endpoint of the dispute, with the networks on which it names the wallet
 */
export async function checkWalletProof(
  context: WalletContext,
  { proof, ...request }: DisputeRequest & { readonly proof: WalletProof },
  subject: DisputeSubject,
): Promise<DisputeProof | DisputeProblem> {
  const { wallet, signature, signed_at: signedAt } = proof;
  const late = findTimeProblem(signedAt, context.now());
  if (late !== null) return late;
  if (subject.wallets.length === 0) return WALLET_UNKNOWN;
  const message = createDisputeMessage(context.baseUrl, { ...request, wallet, signedAt });
  const networks = subject.wallets.map(({ network }) => network);
  const signal = AbortSignal.timeout(CONTRACT_TIMEOUT_MS);
  const chains = context.chains
    .filter(({ providers }) => networks.includes(providers.network))
    .map(({ providers }) => limitProviders(providers, signal));
  try {
    // The schema of the request has checked the formats, so the casts are safe.
    const signed = { wallet: wallet as `0x${string}`, message, signature: signature as `0x${string}` };
    if (!(await verifyMessage(signed, chains))) return createUnsigned(message, chains.length > 0);
  } catch (error) {
    if (error instanceof ChainUnreadableError) return CHAIN_UNREADABLE;
    throw error;
  }
  return {
    kind: 'proof',
    proof: 'wallet',
    prover: wallet.toLowerCase(),
    isFormerWallet: !subject.wallets.some(({ isCurrent }) => isCurrent),
    messageHash: createHash('sha256').update(message).digest('hex'),
  };
}

const WALLET_UNKNOWN = createInvalid(
  'proof.wallet',
  `The payment challenges of this endpoint do not name this wallet, and did not name it in the last ${FORMER_WALLET_DAYS} days. Sign with the payTo wallet of the endpoint.`,
);

const CHAIN_UNREADABLE = createOperationProblem(
  'chain-unavailable',
  'The key of the wallet did not sign the message. The wallet may be a contract, but its network cannot be read now. Send the same request again in a minute.',
);

/** Returns the problem of a signature that is too old or of the future; null for a valid time. */
function findTimeProblem(signedAt: string, now: number): DisputeProblem | null {
  const age = now - Date.parse(signedAt);
  if (age >= -MAX_AHEAD_MS && age <= MAX_SIGNATURE_AGE_MINUTES * MINUTE_MS) return null;
  const found = age < 0 ? 'in the future' : `more than ${MAX_SIGNATURE_AGE_MINUTES} minutes ago`;
  return createInvalid(
    'proof.signed_at',
    `\`proof.signed_at\` must be the present time; received ${signedAt}, which is ${found}. Sign a message with the present time.`,
  );
}

function createUnsigned(message: string, isContractChecked: boolean): DisputeProblem {
  const checked = isContractChecked
    ? 'Neither its key nor its contract accepts the signature.'
    : 'Its key did not sign. This service has no access to its network, so it cannot check the signature of a contract.';
  return createInvalid(
    'proof.signature',
    `The wallet did not sign this dispute. ${checked} Sign exactly this message with personal_sign (EIP-191):\n\n${message}`,
  );
}
