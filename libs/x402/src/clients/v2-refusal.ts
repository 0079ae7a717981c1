import type { Envelope } from '../challenge/envelope.ts';
import { isV1Name } from '../networks/networks.ts';
import { findToken, hasClientDefault } from '../tokens/tokens.ts';
import { toClientOption, explainUnsignable, type ClientOption } from './client-option.ts';
import { hasSignableDomain, findUnsignableEvmMember } from './evm-signing.ts';
import { isV2Timeout } from './client-numbers.ts';
import { readMember as memberOf } from '../json/read-member.ts';
import { isAttachableMemo, findUnsignableSolanaMember } from './solana-signing.ts';

type Version = 1 | 2;

/** A wallet of one kind of chain, and how the client goes about paying with it. */
interface Wallet {
  readonly chain: 'eip155:' | 'solana:';
  /** False when the client falls over the option while it looks up its token. */
  readonly canLookUp: (option: ClientOption) => boolean;
  readonly isSameAsset: (one: string, other: string) => boolean;
  /** The member for which an option cannot be signed; null when it can be. */
  readonly findUnsignable: (option: ClientOption, version: Version) => string | null;
}

const FLOWS = new Set<unknown>([undefined, null, 'authorization', 'upfront', 'escrow']);

const WALLETS: readonly Wallet[] = [
  {
    chain: 'eip155:',
    canLookUp: ({ caip2, asset }) => !hasClientDefault(caip2) || typeof asset === 'string',
    isSameAsset: (one, other) => one.toLowerCase() === other.toLowerCase(),
    findUnsignable: findUnsignableOnEvm,
  },
  {
    chain: 'solana:',
    // It knows three networks and falls over any other; a list of text is a name to it, never an id.
    canLookUp: ({ caip2, network, isNetworkText: isText }) =>
      hasClientDefault(caip2) && (isText || isV1Name(network)),
    isSameAsset: (one, other) => one === other,
    findUnsignable: findUnsignableOnSolana,
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
export function findV2Refusal(envelope: Envelope): string | null {
  const { x402Version, accepts } = envelope.fields;
  if (x402Version !== 1 && x402Version !== 2) return 'x402Version is neither the number 1 nor the number 2.';
  if (!Array.isArray(accepts)) return 'accepts is no list.';
  const candidates = accepts.map(toClientOption);
  // It looks into every entry before it chooses, so one it falls over keeps it from paying any.
  const options = candidates.filter((option) => option !== null);
  if (options.length < candidates.length)
    return 'An entry of accepts is null, or its network cannot be read.';
  const refusals = WALLETS.map((wallet) => findWalletRefusal(wallet, options, x402Version));
  if (refusals.includes(null)) return null;
  const [furthest] = refusals
    .filter((refusal) => refusal !== null)
    .sort((one, other) => other.step - one.step);
  return furthest?.reason ?? null;
}

function findWalletRefusal(
  wallet: Wallet,
  options: readonly ClientOption[],
  version: Version,
): Refusal | null {
  const supported = options.filter(
    (option) =>
      option.scheme === 'exact' && isOnChain(option, version, wallet) && FLOWS.has(readPaymentFlow(option)),
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

/** Unless it is told to trust others, the client pays in the tokens of its own table only, by their bare address. */
function isTrusted({ caip2, asset }: ClientOption, { isSameAsset: sameAsset }: Wallet): boolean {
  if (typeof asset !== 'string') return false;
  const token = findToken(caip2, asset);
  return token?.isClientDefault === true && sameAsset(token.asset, asset);
}

function readPaymentFlow({ extra }: ClientOption): unknown {
  return memberOf(extra, 'paymentFlow');
}

function isAuthorizationFlow(option: ClientOption): boolean {
  const flow = readPaymentFlow(option);
  return flow === undefined || flow === null || flow === 'authorization';
}

function selectAmount({ amount, maxAmountRequired }: ClientOption, version: Version): unknown {
  return version === 1 ? maxAmountRequired : amount;
}

function findUnsignableOnEvm(option: ClientOption, version: Version): string | null {
  // Version 2 cuts the chain's number out of the text, which a list is not.
  if (version === 2 && !option.isNetworkText) return 'network';
  const member = findUnsignableEvmMember({ ...option, amount: selectAmount(option, version) });
  if (member !== null) return member;
  if (!isV2Timeout(option.maxTimeoutSeconds)) return 'maxTimeoutSeconds';
  // Permit2 is signed under the domain of its own contract, not the token's.
  const isPermit2 = version === 2 && memberOf(option.extra, 'assetTransferMethod') === 'permit2';
  return isPermit2 || hasSignableDomain(option.extra) ? null : 'extra.name and extra.version';
}

function findUnsignableOnSolana(option: ClientOption, version: Version): string | null {
  const feePayer = memberOf(option.extra, 'feePayer');
  const member = findUnsignableSolanaMember({ ...option, amount: selectAmount(option, version), feePayer });
  if (member !== null) return member;
  return isAttachableMemo(memberOf(option.extra, 'memo')) ? null : 'extra.memo';
}
