import { isJsonObject } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import { parseAmount } from '@touchstone/x402/money';
import { toCaip2 } from '@touchstone/x402/networks';
import { isSameAddress } from '../payment-terms.ts';
import { decodeHeader, type Offer, readAmount, readOffer } from './challenge.ts';

/** Payment in the header of a request. */
export interface SignedPayment {
  /** Accepted payment requirements; null in version 1, because version 1 does not repeat the requirements. */
  readonly accepted: Offer | null;
  readonly scheme: string;
  readonly network: string;
  /** Signed values; null on a network other than EVM networks, whose payments the guard does not decode. */
  readonly transfer: SignedTransfer | null;
}

/** Values that the payer signed. A missing value is empty text. */
export interface SignedTransfer {
  /**
   * `authorization`: EIP-3009. `permit2`: allowance of Permit2 that a proxy contract of x402 uses. `deposit`: deposit of
   * a payment channel. `voucher`: part of an earlier deposit, which moves no further money out of the wallet.
   */
  readonly kind: 'authorization' | 'permit2' | 'deposit' | 'voucher';
  readonly from: string;
  /** Recipient of the payment. */
  readonly to: string;
  /** Token; null if the signed values do not name the token. */
  readonly asset: string | null;
  /** Amount in atomic units that the signature lets the seller take: the maximum in the scheme `upto`. */
  readonly amount: string;
  /** Nonce of the authorization; empty text for the deposit of a channel by EIP-3009, whose nonce is a hash. */
  readonly nonce: string;
  /** End of the authorization in seconds since 1970; null for a voucher. */
  readonly validBefore: bigint | null;
}

/** Contracts that may use an allowance of Permit2. Any other contract could send the tokens elsewhere. */
const PERMIT2_SPENDERS = {
  exact: '0x402085c248EeA27D92E8b30b2C58ed07f9E20001',
  upto: '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002',
  deposit: '0x4020425FAf3B746C082C2f942b4E5159887B0005',
} as const;
const EVM = /^eip155:/;
/**
 * Maximum time for which a transaction of Solana can be settled, in seconds. A transaction names a block that is at most
 * 150 slots old, which take 60 to 90 seconds (Solana documentation, section "Transaction Confirmation & Expiration").
 */
const MAX_SOLANA_LIFETIME_SECONDS = 120n;

/**
 * Reads the header `PAYMENT-SIGNATURE` or `X-PAYMENT`. Returns null for an unreadable header, and for a payment on an EVM
 * network whose signed values are unreadable or let another contract than those of x402 take the tokens.
 */
export function readSignedPayment(header: string): SignedPayment | null {
  const payment = decodeHeader(header);
  const version = readMember(payment, 'x402Version');
  const accepted = version === 1 ? null : readMember(payment, 'accepted');
  if (version !== 1 && (version !== 2 || !isJsonObject(accepted))) return null;
  const terms = accepted ?? payment;
  const named = { scheme: readText(terms, 'scheme') ?? '', network: readText(terms, 'network') ?? '' };
  const offer = accepted === null ? null : readOffer(version, accepted);
  if (!EVM.test(toCaip2(named.network))) return { ...named, accepted: offer, transfer: null };
  const transfer = readTransfer(named.scheme, readMember(payment, 'payload'));
  return transfer === null ? null : { ...named, accepted: offer, transfer };
}

function readTransfer(scheme: string, payload: unknown): SignedTransfer | null {
  switch (scheme) {
    case 'exact':
      return (
        readAuthorization(readMember(payload, 'authorization')) ??
        readProxyPermit(payload, PERMIT2_SPENDERS.exact)
      );
    case 'upto':
      return readProxyPermit(payload, PERMIT2_SPENDERS.upto);
    case 'batch-settlement':
      return readChannelPayment(payload);
    default:
      return null;
  }
}

function readAuthorization(authorization: unknown): SignedTransfer | null {
  if (!isJsonObject(authorization)) return null;
  const validBefore = readSeconds(authorization, 'validBefore');
  if (validBefore === null) return null;
  return {
    kind: 'authorization',
    ...{
      from: read(authorization, 'from'),
      to: read(authorization, 'to'),
      nonce: read(authorization, 'nonce'),
    },
    ...{ asset: null, amount: readAmount(authorization, 'value'), validBefore },
  };
}

function readProxyPermit(payload: unknown, spender: string): SignedTransfer | null {
  const permit = readMember(payload, 'permit2Authorization');
  const values = readPermit(permit, spender);
  return values === null
    ? null
    : { kind: 'permit2', to: read(readMember(permit, 'witness'), 'to'), ...values };
}

/** Reads an allowance of Permit2. Returns null for another spender. */
function readPermit(permit: unknown, spender: string): Omit<SignedTransfer, 'kind' | 'to'> | null {
  const permitted = readMember(permit, 'permitted');
  const validBefore = readSeconds(permit, 'deadline');
  if (validBefore === null || read(permit, 'spender').toLowerCase() !== spender.toLowerCase()) return null;
  return {
    ...{ from: read(permit, 'from'), nonce: readAmount(permit, 'nonce'), validBefore },
    ...{ asset: read(permitted, 'token'), amount: readAmount(permitted, 'amount') },
  };
}

/** Reads a payment of the scheme `batch-settlement`: a deposit with a voucher, a voucher, or a refund to the payer. */
function readChannelPayment(payload: unknown): SignedTransfer | null {
  const config = readMember(payload, 'channelConfig');
  const channel = { from: read(config, 'payer'), to: read(config, 'receiver'), asset: read(config, 'token') };
  if (!isJsonObject(readMember(payload, 'voucher'))) return null;
  const deposit = readMember(payload, 'deposit');
  if (deposit === undefined) {
    return { kind: 'voucher', ...channel, amount: '0', nonce: '', validBefore: null };
  }
  const amount = readAmount(deposit, 'amount');
  const authorization = readMember(deposit, 'authorization');
  const permit = readMember(authorization, 'permit2Authorization');
  if (permit !== undefined) {
    const values = readPermit(permit, PERMIT2_SPENDERS.deposit);
    if (values === null || values.amount !== amount || values.asset !== channel.asset) return null;
    return { kind: 'deposit', ...channel, amount, nonce: values.nonce, validBefore: values.validBefore };
  }
  const validBefore = readSeconds(readMember(authorization, 'erc3009Authorization'), 'validBefore');
  return validBefore === null ? null : { kind: 'deposit', ...channel, amount, nonce: '', validBefore };
}

/**
 * Returns the time after which a payment can no longer be settled, in seconds since 1970; null if the time is not known.
 *
 * @param now time in milliseconds since 1970 at which the payment was already signed
 */
export function findEnd({ transfer, network }: SignedPayment, now: number): bigint | null {
  if (transfer !== null) return transfer.validBefore;
  return toCaip2(network).startsWith('solana:')
    ? BigInt(Math.ceil(now / 1_000)) + MAX_SOLANA_LIFETIME_SECONDS
    : null;
}

/**
 * Returns the offers that a signed payment may fulfil: in version 2 the accepted offer, in version 1 the remembered
 * offers that agree with the signed values.
 */
export function findSignedOffers(
  { accepted, scheme, network, transfer }: SignedPayment,
  remembered: readonly Offer[],
): readonly Offer[] {
  const candidates =
    accepted === null
      ? remembered.filter((offer) => offer.scheme === scheme && toCaip2(offer.network) === toCaip2(network))
      : [accepted];
  return transfer === null ? candidates : candidates.filter((offer) => isAgreed(offer, transfer));
}

function isAgreed(offer: Offer, { kind, to, asset, amount }: SignedTransfer): boolean {
  const network = toCaip2(offer.network);
  const signed = parseAmount(amount);
  if (signed === null || !isSameAddress(network, offer.payTo, to)) return false;
  if (asset !== null && !isSameAddress(network, offer.asset, asset)) return false;
  // A deposit is larger than the price, and the policy limits the deposit.
  return kind === 'deposit' || kind === 'voucher' || signed === parseAmount(offer.amount);
}

function read(value: unknown, name: string): string {
  return readText(value, name) ?? '';
}

/** Reads a time in seconds. Returns null for other text. */
function readSeconds(value: unknown, name: string): bigint | null {
  const text = readAmount(value, name);
  return /^[0-9]{1,78}$/.test(text) ? BigInt(text) : null;
}
