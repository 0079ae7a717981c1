import type { Envelope } from '../challenge/envelope.ts';
import { isV1Name } from '../networks/networks.ts';
import { findToken, hasClientDefault } from '../tokens/tokens.ts';
import { toClientOption, explainUnsignable, type ClientOption } from './client-option.ts';
import { hasSignableDomain, findUnsignableEvmMember } from './evm-signing.ts';
import { isV2Timeout } from './client-numbers.ts';
import { readMember } from '../json/read-member.ts';
import { isAttachableMemo, findUnsignableSolanaMember } from './solana-signing.ts';

type Version = 1 | 2;

/** The client's behaviour with a wallet for one CAIP-2 namespace. */
interface Wallet {
  readonly chain: 'eip155:' | 'solana:';
  /** Returns false when the client throws while it looks up the option's token. */
  readonly canLookUp: (option: ClientOption) => boolean;
  readonly isSameAsset: (one: string, other: string) => boolean;
  /** Returns the member that prevents signing an option; null when it can be signed. */
  readonly findUnsignable: (option: ClientOption, version: Version) => string | null;
}

const KNOWN_PAYMENT_FLOWS = new Set<unknown>([undefined, null, 'authorization', 'upfront', 'escrow']);

const WALLETS: readonly Wallet[] = [
  {
    chain: 'eip155:',
    canLookUp: ({ caip2, asset }) => !hasClientDefault(caip2) || typeof asset === 'string',
    isSameAsset: (one, other) => one.toLowerCase() === other.toLowerCase(),
    findUnsignable: findUnsignableOnEvm,
  },
  {
    chain: 'solana:',
    // The client knows three networks and throws for any other. It accepts a list of text as a name, never as an id.
    canLookUp: ({ caip2, network, isNetworkText }) =>
      hasClientDefault(caip2) && (isNetworkText || isV1Name(network)),
    isSameAsset: (one, other) => one === other,
    findUnsignable: findUnsignableOnSolana,
  },
];

/** Reason why a wallet does not pay, and the step at which the client stops. A later step has a higher number. */
interface Refusal {
  readonly step: number;
  readonly reason: string;
}

const STEPS = {
  scheme: { step: -1, reason: 'No option has the scheme "exact", the only one that clients pay by default.' },
  network: {
    step: 0,
    reason:
      'No option with the scheme "exact" has an EVM or Solana network, written as its version requires, and a known payment flow.',
  },
  lookUp: { step: 1, reason: 'The client fails on the token or the network of an option.' },
  trust: { step: 2, reason: 'No option is in a token that clients trust by default.' },
} as const;

/**
 * Returns the reason why the version 2 reference client would not sign a payment for this envelope, with an EVM or a
 * Solana wallet; null when it would with either.
 *
 * Follows the client step by step (@x402/core 2.25 `selectPaymentRequirements`, @x402/evm and @x402/svm `exact`). It
 * starts from the options with scheme `exact` on the wallet's networks. It drops those with an unknown payment flow,
 * then those in a token outside its own table. Of the rest it selects the first with the authorization flow, otherwise
 * the first. It tries no other option when it cannot sign that one. It validates nothing else, so an envelope that
 * violates the specification elsewhere is payable. Spending limits of the buyer are not considered.
 *
 * @param envelope from the header; or from the body, where the client accepts version 1 only
 */
export function findV2Refusal(envelope: Envelope): string | null {
  const { x402Version, accepts } = envelope.fields;
  if (x402Version !== 1 && x402Version !== 2) return 'x402Version must be the number 1 or 2.';
  if (!Array.isArray(accepts)) return 'accepts is not a list.';
  const candidates = accepts.map(toClientOption);
  // The client reads every entry before it selects one, so a single entry on which it throws prevents any payment.
  const options = candidates.filter((option) => option !== null);
  if (options.length < candidates.length)
    return 'An entry of accepts is null, or its network cannot be read.';
  const refusals = WALLETS.map((wallet) => findWalletRefusal(wallet, options, x402Version));
  if (refusals.includes(null)) return null;
  const [last] = refusals.filter((refusal) => refusal !== null).sort((one, other) => other.step - one.step);
  return last?.reason ?? null;
}

function findWalletRefusal(
  wallet: Wallet,
  options: readonly ClientOption[],
  version: Version,
): Refusal | null {
  const supported = options.filter(
    (option) =>
      option.scheme === 'exact' &&
      isOnChain(option, version, wallet) &&
      KNOWN_PAYMENT_FLOWS.has(readPaymentFlow(option)),
  );
  if (supported.length === 0) {
    return options.some(({ scheme }) => scheme === 'exact') ? STEPS.network : STEPS.scheme;
  }
  if (!supported.every(wallet.canLookUp)) return STEPS.lookUp;
  const trusted = supported.filter((option) => isTrusted(option, wallet));
  const chosen = trusted.find(isAuthorizationFlow) ?? trusted[0];
  if (chosen === undefined) return STEPS.trust;
  const member = wallet.findUnsignable(chosen, version);
  return member === null ? null : { step: 3, reason: explainUnsignable(member) };
}

function isOnChain({ network, caip2 }: ClientOption, version: Version, { chain }: Wallet): boolean {
  return version === 2 ? network.startsWith(chain) : isV1Name(network) && caip2.startsWith(chain);
}

/** Returns true for a token of the client's own table, by its bare address. By default the client pays in no other. */
function isTrusted({ caip2, asset }: ClientOption, { isSameAsset: sameAsset }: Wallet): boolean {
  if (typeof asset !== 'string') return false;
  const token = findToken(caip2, asset);
  return token?.isClientDefault === true && sameAsset(token.asset, asset);
}

function readPaymentFlow({ extra }: ClientOption): unknown {
  return readMember(extra, 'paymentFlow');
}

function isAuthorizationFlow(option: ClientOption): boolean {
  const flow = readPaymentFlow(option);
  return flow === undefined || flow === null || flow === 'authorization';
}

function selectAmount({ amount, maxAmountRequired }: ClientOption, version: Version): unknown {
  return version === 1 ? maxAmountRequired : amount;
}

function findUnsignableOnEvm(option: ClientOption, version: Version): string | null {
  // In version 2 the client extracts the chain id from the text, which fails for a list.
  if (version === 2 && !option.isNetworkText) return 'network';
  const member = findUnsignableEvmMember({ ...option, amount: selectAmount(option, version) });
  if (member !== null) return member;
  if (!isV2Timeout(option.maxTimeoutSeconds)) return 'maxTimeoutSeconds';
  // Permit2 signs under the domain of its own contract, not of the token.
  const isPermit2 = version === 2 && readMember(option.extra, 'assetTransferMethod') === 'permit2';
  return isPermit2 || hasSignableDomain(option.extra) ? null : 'extra.name and extra.version';
}

function findUnsignableOnSolana(option: ClientOption, version: Version): string | null {
  const feePayer = readMember(option.extra, 'feePayer');
  const member = findUnsignableSolanaMember({ ...option, amount: selectAmount(option, version), feePayer });
  if (member !== null) return member;
  return isAttachableMemo(readMember(option.extra, 'memo')) ? null : 'extra.memo';
}
