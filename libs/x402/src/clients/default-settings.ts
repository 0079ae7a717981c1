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
  /** Change of the setting, with its name and value, as an imperative clause. */
  readonly setting: string;
}

/** Names the limit of the version 2 client that allows a payment. @param dollars see `readDollars` */
export function describeMaxAmount(dollars: bigint): ClientSetting {
  const usd = formatDecimal({ digits: dollars, scale: DOLLAR_DECIMALS });
  return {
    kind: 'amount',
    setting: `set spendControls.maxAmountPerPayment of @x402/core to at least $${usd} (default $${String(DEFAULT_MAX_USD)})`,
  };
}

/** Token that a buyer allows. */
export interface AllowedToken {
  /** Network as the payment option names it. */
  readonly network: string;
  readonly asset: unknown;
  /** Limit for a payment, in atomic units; null for an amount that the client cannot compare with a limit. */
  readonly units: bigint | null;
}

/**
 * Names the entry in the list of allowed tokens that lets the version 2 client pay in a token. The limit of the entry is
 * part of the text, because the client pays any amount in the token of an entry without a limit.
 */
export function describeAllowedToken({ network, asset, units }: AllowedToken): ClientSetting {
  const limit = units === null ? '' : `, maxAmountPerPayment: "${String(units)}"`;
  return {
    kind: 'token',
    setting: `add {network: ${quote(network)}, asset: ${quote(asset)}${limit}} to spendControls.allowedAssets of @x402/core`,
  };
}

/** Names the client of a scheme that the buyer must register. */
export function describeSchemeClient(scheme: string, client: string): ClientSetting {
  return { kind: 'scheme', setting: `register ${client} for the scheme ${scheme}` };
}

/** Returns the setting that lets the version 1 client pay an amount; an empty list if its default limit allows it. */
export function listV1Settings(amount: bigint): readonly ClientSetting[] {
  if (amount <= DEFAULT_MAX_V1_AMOUNT) return [];
  const setting = `set maxValue of x402-fetch to at least ${String(amount)} atomic units (default ${String(DEFAULT_MAX_V1_AMOUNT)})`;
  return [{ kind: 'amount', setting }];
}

const LIST = new Intl.ListFormat('en-GB');

/** Formats settings as one clause. */
export function joinSettings(settings: readonly ClientSetting[]): string {
  return LIST.format(settings.map(({ setting }) => setting));
}

/** Formats the settings that a buyer must change as sentences. */
export function describeClientSettings(settings: readonly ClientSetting[]): string {
  return settings.every(({ kind }) => kind === 'amount')
    ? `The price is over the default limit of clients: ${joinSettings(settings)}.`
    : `Clients pay this after a change of their default settings. The buyer must ${joinSettings(settings)}.`;
}

/** Compares settings by the number of changes. A limit counts less than a token or a scheme. */
export function compareSettings(one: readonly ClientSetting[], other: readonly ClientSetting[]): number {
  return countSettings(one) - countSettings(other);
}

function countSettings(settings: readonly ClientSetting[]): number {
  return settings.reduce((sum, { kind }) => sum + (kind === 'amount' ? 1 : 2), 0);
}

/** Decimals with which limits and amounts in dollars are compared. */
const DOLLAR_DECIMALS = 18;
/** Default limit of the version 2 client, in the unit of `readDollars`. */
export const DEFAULT_LIMIT = DEFAULT_MAX_USD * 10n ** BigInt(DOLLAR_DECIMALS);

/** Returns an amount as the client writes it into text, if the client reads it as atomic units; otherwise null. */
export function readAtomicText(amount: unknown): string | null {
  const text = listToText([amount]) ?? '';
  return /^\d+$/.test(text) ? text : null;
}

/**
 * Returns an amount as a number of 10^-18 dollars; null when the client throws while it reads the amount. The client
 * reads digits as atomic units and other decimal numbers as dollars. Source: @x402/core 2.27, `applySpendControls`,
 * `convertToTokenAmount`.
 *
 * @param decimals decimals of the token, which is a dollar token
 */
export function readDollars(amount: unknown, decimals: number): bigint | null {
  const units = readAtomicText(amount);
  if (units !== null) return BigInt(units) * 10n ** BigInt(DOLLAR_DECIMALS - decimals);
  if (typeof amount !== 'string' || !/^-?\d+(?:\.\d*)?$/.test(amount)) return null;
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(DOLLAR_DECIMALS, '0').slice(0, DOLLAR_DECIMALS));
}
