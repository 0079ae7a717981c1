import type { Envelope } from '../envelope.ts';
import { isV1Name } from '../networks.ts';
import { findToken, hasClientDefault } from '../tokens.ts';
import { toCandidate, unsignedReason, type Candidate } from './candidate.ts';
import { hasSignableDomain, unsignableMember } from './evm.ts';
import { isClientTimeout } from './numbers.ts';
import { member as memberOf } from '../member.ts';
import { isAttachableMemo, unsignableTokenMember } from './solana.ts';

type Version = 1 | 2;

/** A wallet of one kind of chain, and how the client goes about paying with it. */
interface Wallet {
  readonly chain: 'eip155:' | 'solana:';
  /** False when the client falls over the option while it looks up its token. */
  readonly canLookUp: (option: Candidate) => boolean;
  readonly sameAsset: (one: string, other: string) => boolean;
  /** The member for which an option cannot be signed; null when it can be. */
  readonly unsignable: (option: Candidate, version: Version) => string | null;
}

const FLOWS = new Set<unknown>([undefined, null, 'authorization', 'upfront', 'escrow']);

const WALLETS: readonly Wallet[] = [
  {
    chain: 'eip155:',
    canLookUp: ({ caip2, asset }) => !hasClientDefault(caip2) || typeof asset === 'string',
    sameAsset: (one, other) => one.toLowerCase() === other.toLowerCase(),
    unsignable: unsignableOnEvm,
  },
  {
    chain: 'solana:',
    // It knows three networks and falls over any other; a list of text is a name to it, never an id.
    canLookUp: ({ caip2, network, isText }) => hasClientDefault(caip2) && (isText || isV1Name(network)),
    sameAsset: (one, other) => one === other,
    unsignable: unsignableOnSolana,
  },
];

/** Why a wallet does not pay, and how far the client came before it knew. */
interface Refusal {
  readonly step: number;
  readonly reason: string;
}

const STEPS = {
  scheme: { step: -1, reason: 'No option is of scheme "exact", the one a stock client pays by.' },
  network: {
    step: 0,
    reason:
      'No option of scheme "exact" names a network of EVM or Solana as its version does, with a known payment flow.',
  },
  lookUp: { step: 1, reason: 'An option names a token or a network that the client falls over.' },
  trust: { step: 2, reason: 'No option is in a token that stock clients trust without being told to.' },
} as const;

/**
 * Why the version 2 reference client would sign no payment for this envelope, whether it holds an EVM wallet or a
 * Solana one; null when it would with either.
 *
 * Follows it step by step (@x402/core 2.25 `selectPaymentRequirements`, @x402/evm and @x402/svm `exact`): of the
 * options of scheme `exact` on the wallet's chains it drops unknown payment flows, then every token outside its
 * own table, prefers the authorization flow, takes the first that is left, and does not try another when that
 * one cannot be signed. It reads what it needs and validates nothing, so an envelope that breaks the
 * specification elsewhere is payable all the same. How much a buyer lets it spend is no matter of the envelope.
 *
 * @param envelope from the header; or from the body, where the client reads version 1 only
 */
export function refusalOfV2Client(envelope: Envelope): string | null {
  const { x402Version, accepts } = envelope.fields;
  if (x402Version !== 1 && x402Version !== 2) return 'x402Version is neither the number 1 nor the number 2.';
  if (!Array.isArray(accepts)) return 'accepts is no list.';
  const candidates = accepts.map(toCandidate);
  // It looks into every entry before it chooses, so one it falls over keeps it from paying any.
  const options = candidates.filter((option) => option !== null);
  if (options.length < candidates.length)
    return 'An entry of accepts is null, or its network cannot be read.';
  const refusals = WALLETS.map((wallet) => refusalOf(wallet, options, x402Version));
  if (refusals.includes(null)) return null;
  const [furthest] = refusals
    .filter((refusal) => refusal !== null)
    .sort((one, other) => other.step - one.step);
  return furthest?.reason ?? null;
}

function refusalOf(wallet: Wallet, options: readonly Candidate[], version: Version): Refusal | null {
  const supported = options.filter(
    (option) =>
      option.scheme === 'exact' && isOnChain(option, version, wallet) && FLOWS.has(paymentFlow(option)),
  );
  if (supported.length === 0) {
    return options.some(({ scheme }) => scheme === 'exact') ? STEPS.network : STEPS.scheme;
  }
  if (!supported.every(wallet.canLookUp)) return STEPS.lookUp;
  const trusted = supported.filter((option) => isTrusted(option, wallet));
  const chosen = trusted.find(isAuthorized) ?? trusted[0];
  if (chosen === undefined) return STEPS.trust;
  const member = wallet.unsignable(chosen, version);
  return member === null ? null : { step: 3, reason: unsignedReason(member) };
}

function isOnChain({ network, caip2 }: Candidate, version: Version, { chain }: Wallet): boolean {
  return version === 2 ? network.startsWith(chain) : isV1Name(network) && caip2.startsWith(chain);
}

/** Unless it is told to trust others, the client pays in the tokens of its own table only, by their bare address. */
function isTrusted({ caip2, asset }: Candidate, { sameAsset }: Wallet): boolean {
  if (typeof asset !== 'string') return false;
  const token = findToken(caip2, asset);
  return token?.clientDefault === true && sameAsset(token.asset, asset);
}

function paymentFlow({ extra }: Candidate): unknown {
  return memberOf(extra, 'paymentFlow');
}

function isAuthorized(option: Candidate): boolean {
  const flow = paymentFlow(option);
  return flow === undefined || flow === null || flow === 'authorization';
}

function amountOf({ amount, maxAmountRequired }: Candidate, version: Version): unknown {
  return version === 1 ? maxAmountRequired : amount;
}

function unsignableOnEvm(option: Candidate, version: Version): string | null {
  // Version 2 cuts the chain's number out of the text, which a list is not.
  if (version === 2 && !option.isText) return 'network';
  const member = unsignableMember({ ...option, amount: amountOf(option, version) });
  if (member !== null) return member;
  if (!isClientTimeout(option.maxTimeoutSeconds)) return 'maxTimeoutSeconds';
  // Permit2 is signed under the domain of its own contract, not the token's.
  const isPermit2 = version === 2 && memberOf(option.extra, 'assetTransferMethod') === 'permit2';
  return isPermit2 || hasSignableDomain(option.extra) ? null : 'extra.name and extra.version';
}

function unsignableOnSolana(option: Candidate, version: Version): string | null {
  const feePayer = memberOf(option.extra, 'feePayer');
  const member = unsignableTokenMember({ ...option, amount: amountOf(option, version), feePayer });
  if (member !== null) return member;
  return isAttachableMemo(memberOf(option.extra, 'memo')) ? null : 'extra.memo';
}
