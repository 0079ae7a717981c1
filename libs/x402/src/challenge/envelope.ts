import { isJsonObject } from '@touchstone/common';
import { cleanJson, type CleanLimits, cleanText } from '../json/untrusted-json.ts';
import { isFalseUsdc, findToken } from '../networks/tokens.ts';
import { formatAtomicUsd, parseAmount } from '../networks/money.ts';
import { toCaip2 } from '../networks/networks.ts';
import type { PaymentOption } from '../types.ts';
import { readBazaar, readRouteTemplate, type Bazaar } from './bazaar-extension.ts';

/**
 * Maximum number of entries that are read from one `accepts` list. The number is far above 16, the maximum that the CDP
 * directory accepts.
 */
const MAX_ENTRIES = 64;

/** Members of a JSON object that this package reads. Their values are not validated. */
type Members<Name extends string> = { readonly [name in Name]?: unknown };

/** One entry of `accepts`, which may mix the member names of both protocol versions. */
export type Entry = Members<
  | ('scheme' | 'network' | 'amount' | 'maxAmountRequired' | 'asset' | 'currency' | 'payTo' | 'recipient')
  | ('maxTimeoutSeconds' | 'resource' | 'description' | 'mimeType' | 'outputSchema' | 'extra')
>;

/**
 * Reads the first 64 entries of an `accepts` list. An entry that is not an object becomes null.
 *
 * @param accepts any JSON value; a value that is not a list has no entries
 */
export function readEntries(accepts: unknown): readonly (Entry | null)[] {
  if (!Array.isArray(accepts)) return [];
  return accepts.slice(0, MAX_ENTRIES).map((entry: unknown) => (isJsonObject(entry) ? entry : null));
}

/** Maximum length of a network, scheme, asset or address, in UTF-16 units. Valid values are shorter. */
const MAX_ID_LENGTH = 200;
const EXTRA_LIMITS: CleanLimits = { values: 100, units: 4_096 };

/**
 * Converts an `accepts` entry to a payment option, which has the same form for both protocol versions. Discovery
 * directories mix the member names of both versions, so the amount may be in `amount` or in `maxAmountRequired`. The
 * name that belongs to `version` is tried first.
 *
 * @param version protocol version of the challenge or of the item in a discovery directory
 * @returns null for an entry without a network, because asset and address have no meaning without a network
 */
function toOption(entry: Entry, version: 1 | 2 | null): PaymentOption | null {
  const { scheme, asset: advertisedAsset, currency, payTo, recipient, maxTimeoutSeconds, extra } = entry;
  const advertised = cleanText(entry.network, MAX_ID_LENGTH);
  if (advertised === null) return null;
  const network = toCaip2(advertised);
  const asset = cleanText(advertisedAsset, MAX_ID_LENGTH) ?? cleanText(currency, MAX_ID_LENGTH) ?? '';
  const token = findToken(network, asset);
  const amount = parseAmount(selectAmount(entry, version));
  return {
    scheme: cleanText(scheme, MAX_ID_LENGTH) ?? '',
    network,
    asset,
    assetSymbol: token?.symbol ?? null,
    decimals: token?.decimals ?? null,
    amount,
    amountUsd: token === null || amount === null ? null : formatAtomicUsd(amount, token.decimals),
    payTo: cleanText(payTo, MAX_ID_LENGTH) ?? cleanText(recipient, MAX_ID_LENGTH) ?? '',
    maxTimeoutSeconds: readSeconds(maxTimeoutSeconds),
    extra: isJsonObject(extra) ? cleanJson(extra, EXTRA_LIMITS) : null,
    falseUsdc: isFalseUsdc({ network, asset, extra }),
  };
}

function selectAmount({ amount, maxAmountRequired }: Entry, version: 1 | 2 | null): unknown {
  return version === 1 ? (maxAmountRequired ?? amount) : (amount ?? maxAmountRequired);
}

function readSeconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

/** A JSON object that may be a payment challenge, parsed but not validated. */
export interface Envelope {
  readonly fields: Members<'x402Version' | 'error' | 'resource' | 'accepts' | 'extensions'>;
  /** Protocol version, given as a number or as text such as `"2"`; null for any other value. */
  readonly version: 1 | 2 | null;
  /** Members of `resource`; null when `resource` is not an object. */
  readonly resource: Members<'url' | 'description' | 'mimeType' | 'serviceName' | 'tags' | 'iconUrl'> | null;
  /** Number of entries in `accepts`; 0 when `accepts` is not a list. */
  readonly length: number;
  /** First 64 entries of `accepts`, with null in place of an entry that is not an object. */
  readonly entries: readonly (Entry | null)[];
  readonly options: readonly PaymentOption[];
  /** Discovery extension; null when the challenge has none. */
  readonly bazaar: Bazaar | null;
  /** Route template of the discovery extension; null when it is absent or invalid. */
  readonly routeTemplate: string | null;
}

/**
 * Parses a JSON document as an envelope, which is the object with the members `x402Version` and `accepts`. Reads only
 * known members, so untrusted documents that are deeply nested, very long or have prototype keys do no harm.
 *
 * @returns null when the document is not a JSON object
 */
export function parseEnvelope(json: unknown): Envelope | null {
  if (!isJsonObject(json)) return null;
  const fields: Envelope['fields'] = json;
  const version = readVersion(fields.x402Version);
  const entries = readEntries(fields.accepts);
  const bazaar = readBazaar(fields.extensions);
  return {
    fields,
    version,
    resource: isJsonObject(fields.resource) ? fields.resource : null,
    length: Array.isArray(fields.accepts) ? fields.accepts.length : 0,
    entries,
    options: readOptions(entries, version),
    bazaar,
    routeTemplate: readRouteTemplate(bazaar),
  };
}

/**
 * Returns the protocol version from `x402Version`, which may be a number or text; null for values other than 1 and 2.
 */
export function readVersion(value: unknown): 1 | 2 | null {
  if (value === 1 || value === '1') return 1;
  return value === 2 || value === '2' ? 2 : null;
}

/** Converts `accepts` entries to payment options. Leaves out entries without a network. */
export function readOptions(entries: readonly (Entry | null)[], version: 1 | 2 | null): PaymentOption[] {
  return entries.flatMap((entry) => (entry && toOption(entry, version)) ?? []);
}
