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

/** Longer than any address, mint or CAIP-19 id. */
const ID_LIMIT = 200;
const EXTRA_LIMITS: CleanLimits = { values: 100, units: 4_096 };

/**
 * An entry of `accepts` in version-independent terms. Tolerant: directories fuse the names of both versions
 * on one item, so each member is looked for under both, its own version's name first.
 *
 * @param entry one of `accepts`
 * @param version the version its envelope or item claims
 * @returns null when it names no network, without which nothing about it can be understood
 */
export function toOption({ fields, raw }: Entry, version: 1 | 2 | null): PaymentOption | null {
  const advertised = cleanText(fields.network, ID_LIMIT);
  if (advertised === null) return null;
  const network = toCaip2(advertised);
  const asset = cleanText(fields.asset, ID_LIMIT) ?? cleanText(fields.currency, ID_LIMIT) ?? '';
  const token = findToken(network, asset);
  const amount = parseAmount(selectAmount(fields, version));
  const extra = readMember(raw, 'extra');
  return {
    scheme: cleanText(fields.scheme, ID_LIMIT) ?? '',
    network,
    asset,
    assetSymbol: token?.symbol ?? null,
    decimals: token?.decimals ?? null,
    amount,
    amountUsd: token === null || amount === null ? null : atomicToUsd(amount, token.decimals),
    payTo: cleanText(fields.payTo, ID_LIMIT) ?? cleanText(fields.recipient, ID_LIMIT) ?? '',
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
