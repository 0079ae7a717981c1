import { formatDecimal } from '@touchstone/common';
import { listToText, quote } from '../json/untrusted-json.ts';

/**
 * Default limit of the version 2 client for a payment, in US dollars. Source: @x402/core 2.27,
 * `DEFAULT_MAX_AMOUNT_PER_PAYMENT`.
 */
export const DEFAULT_MAX_USD = 1n;
/**
 * Default limit of the version 1 client for a payment, in atomic units of any token: $0.10 in USDC. Source: x402-fetch
 * 1.2, `wrapFetchWithPayment`.
 */
const DEFAULT_MAX_V1_AMOUNT = 100_000n;
/** Scheme of the clients of both versions with default settings. */
export const DEFAULT_SCHEME = 'exact';

/**
 * Clients of the schemes that a buyer of version 2 must register, by CAIP-2 namespace and scheme. Source: exports of
 * @x402/evm 2.27 and @x402/svm 2.27.
 */
export const SCHEME_CLIENTS = {
  'eip155:': {
    upto: 'UptoEvmScheme of @x402/evm/upto/client',
    'batch-settlement': 'BatchSettlementEvmScheme of @x402/evm/batch-settlement/client',
    'auth-capture': 'AuthCaptureEvmScheme of @x402/evm/auth-capture/client',
  },
  'solana:': { upto: 'UptoSvmScheme of @x402/svm/upto/client' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Setting of a client that a buyer must change before the client pays a challenge. */
export interface ClientSetting {
  /** `amount`: limit for a payment. `token`: list of allowed tokens. `scheme`: registered client of a scheme. */
  readonly kind: 'amount' | 'token' | 'scheme';
  /** Name and required value of the setting, as the object of a sentence. */
  readonly setting: string;
}

/** Names the limit of the version 2 client that allows a payment. */
export function describeMaxAmount(amount: bigint, decimals: number): ClientSetting {
  const usd = formatDecimal({ digits: amount, scale: decimals });
  return { kind: 'amount', setting: `spendControls.maxAmountPerPayment of at least $${usd}` };
}

/** Names the entry in the list of allowed tokens that lets the version 2 client pay in a token. */
export function describeAllowedToken(network: string, asset: string): ClientSetting {
  return {
    kind: 'token',
    setting: `spendControls.allowedAssets with the token ${quote(asset)} on ${quote(network)}`,
  };
}

/** Names the client of a scheme that the buyer must register. */
export function describeSchemeClient(scheme: string, client: string): ClientSetting {
  return { kind: 'scheme', setting: `the scheme ${scheme} (register ${client})` };
}

/** Returns the setting that lets the version 1 client pay an amount; an empty list if its default limit allows it. */
export function listV1Settings(amount: bigint): readonly ClientSetting[] {
  if (amount <= DEFAULT_MAX_V1_AMOUNT) return [];
  return [{ kind: 'amount', setting: `maxValue of at least ${String(amount)} atomic units` }];
}

const LIST = new Intl.ListFormat('en-GB');

/** Formats the settings that a buyer must change as one sentence. */
export function describeClientSettings(settings: readonly ClientSetting[]): string {
  return `Clients with default settings refuse this payment. The buyer must set ${LIST.format(settings.map(({ setting }) => setting))}.`;
}

/** Maximum length of an amount that is read as a number, in UTF-16 units. A longer amount is over every limit. */
const MAX_AMOUNT_LENGTH = 1_000;
/** Decimals with which the client compares an amount that is not in atomic units. */
const DOLLAR_DECIMALS = 18;

/**
 * Returns true when an amount is within the default limit of the version 2 client; null when the client throws while it
 * reads the amount. The client reads digits as atomic units and other decimal numbers as dollars. Source: @x402/core
 * 2.27, `applySpendControls`, `convertToTokenAmount`.
 *
 * @param decimals decimals of the token, which is a dollar token
 */
export function isWithinDefaultLimit(amount: unknown, decimals: number): boolean | null {
  const text = listToText([amount]) ?? '';
  const isNull = amount === null || amount === undefined;
  if (isNull || /e/i.test(text) || !/^-?\d+\.?\d*$/.test(text)) return null;
  const isAtomic = /^\d+$/.test(text);
  if (!isAtomic && typeof amount !== 'string') return null;
  if (text.length > MAX_AMOUNT_LENGTH) return false;
  if (isAtomic) return BigInt(text) <= DEFAULT_MAX_USD * 10n ** BigInt(decimals);
  const [whole = '', fraction = ''] = text.split('.');
  const digits = fraction.padEnd(DOLLAR_DECIMALS, '0').slice(0, DOLLAR_DECIMALS);
  return BigInt(whole + digits) <= DEFAULT_MAX_USD * 10n ** BigInt(DOLLAR_DECIMALS);
}
