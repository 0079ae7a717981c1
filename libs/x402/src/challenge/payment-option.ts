import { cleanJson, type CleanLimits } from '../json/clean-json.ts';
import type { Entry, EntryFields } from './accepts-entry.ts';
import { isFalseUsdc } from '../tokens/false-usdc.ts';
import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { atomicToUsd, parseAmount } from '../tokens/money.ts';
import { toCaip2 } from '../networks/networks.ts';
import { cleanText } from '../json/clean-text.ts';
import { findToken } from '../tokens/tokens.ts';
import type { PaymentOption } from '../types.ts';

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
export function toOption({ fields, raw }: Entry, version: 1 | 2 | null): PaymentOption | null {
  const advertised = cleanText(fields.network, MAX_ID_LENGTH);
  if (advertised === null) return null;
  const network = toCaip2(advertised);
  const asset = cleanText(fields.asset, MAX_ID_LENGTH) ?? cleanText(fields.currency, MAX_ID_LENGTH) ?? '';
  const token = findToken(network, asset);
  const amount = parseAmount(selectAmount(fields, version));
  const extra = readMember(raw, 'extra');
  return {
    scheme: cleanText(fields.scheme, MAX_ID_LENGTH) ?? '',
    network,
    asset,
    assetSymbol: token?.symbol ?? null,
    decimals: token?.decimals ?? null,
    amount,
    amountUsd: token === null || amount === null ? null : atomicToUsd(amount, token.decimals),
    payTo: cleanText(fields.payTo, MAX_ID_LENGTH) ?? cleanText(fields.recipient, MAX_ID_LENGTH) ?? '',
    maxTimeoutSeconds: readSeconds(fields.maxTimeoutSeconds),
    extra: isObject(extra) ? cleanJson(extra, EXTRA_LIMITS) : null,
    falseUsdc: isFalseUsdc({ network, asset, names: [fields.extra?.name, fields.extra?.symbol] }),
  };
}

function selectAmount(fields: EntryFields, version: 1 | 2 | null): unknown {
  return version === 1
    ? (fields.maxAmountRequired ?? fields.amount)
    : (fields.amount ?? fields.maxAmountRequired);
}

function readSeconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}
