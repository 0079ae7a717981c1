import { formatTimestamp } from '@touchstone/common';
import { TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { parseUsd } from './numbers.ts';

/** Conversions between values of the score formula and the form of these values in a report. */

/** Parses an ISO 8601 time into milliseconds since the epoch. */
export function parseIsoTimeOrNull(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

/** Formats US dollars with six decimals. Sums of whole millionths of a dollar are exact below nine billion dollars. */
export function formatUsd(amount: number): string {
  return amount.toFixed(6);
}

const MICRO = 10n ** 12n;

/**
 * Rounds a US dollar amount half up to six decimals, because the database returns amounts with different numbers of
 * decimals.
 *
 * @returns null if the text is not an amount
 */
export function normalizeUsd(text: string | null | undefined): string | null {
  // `exact` is in units of 10^-18 dollars.
  const exact = parseUsd(text);
  if (exact === null) return null;
  const digits = ((exact + MICRO / 2n) / MICRO).toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Removes invisible characters from a provider's text and limits its length. */
export function toDisplayText(text: string, limit: number = TEXT_LIMITS.address): string {
  return cleanText(text, limit) ?? '';
}

/** Matches invisible characters, and separators other than the space. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}]|[^\P{Z} ]/u;

/**
 * Returns the URL of an endpoint for a report. A URL with invisible characters is percent-encoded by the URL standard,
 * section 1.3; every other URL stays unchanged. Invisible characters are never removed, because the result could be the
 * URL of another endpoint.
 */
export function toDisplayResource(resource: string): string {
  if (!HIDDEN.test(resource) && resource.trim() === resource) return resource.slice(0, TEXT_LIMITS.resource);
  const encoded = URL.parse(resource)?.href ?? encodeURI(resource.toWellFormed());
  return encoded.slice(0, TEXT_LIMITS.resource);
}

/**
 * Returns the amount if it is a whole number of atomic token units, otherwise null. Providers are untrusted and may
 * send any text as an amount.
 */
export function toAtomicAmount(amount: string | null | undefined): string | null {
  return typeof amount === 'string' && /^[0-9]{1,78}$/.test(amount) ? amount : null;
}

type Figures = TrustReport['components']['age']['inputs'];

/** Pattern for names of figures that are times in milliseconds. */
const TIMES = /At$|Since$|^firstSeen$/;
/** Pattern for names of figures that are US dollar amounts. */
const DOLLARS = /Usd/;

/**
 * Converts component inputs or flag evidence to the form in a report: ISO 8601 times, dollar amounts as strings, and
 * cleaned texts.
 */
export function toReportFigures(named: Readonly<Record<string, string | number | null>>): Figures {
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => {
      if (typeof value === 'string') return [name, toDisplayText(value)];
      if (value !== null && TIMES.test(name)) return [name, formatTimestamp(value)];
      return [name, value !== null && DOLLARS.test(name) ? formatUsd(value) : value];
    }),
  );
}

/** Default name of the vantage, the location from which the service measures latency. */
export const DEFAULT_VANTAGE = 'EU';

/** Maximum length of a vantage name, in UTF-16 code units. */
const MAX_VANTAGE_LENGTH = 40;
const PRINTABLE = /^(?:[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]| )+$/u;

/** Returns true for a valid vantage name: 1 to 40 printable characters, with no space at either end. */
export function isVantage(text: string): boolean {
  return text.length <= MAX_VANTAGE_LENGTH && text.trim() === text && PRINTABLE.test(text);
}
