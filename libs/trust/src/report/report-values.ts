import { TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { parseUsd } from '../numbers/usd.ts';

/** How values of the formula are written in a report, and read from it. */

/** Milliseconds since the epoch as a moment of the wire. */
export function moment(ms: number): string {
  return new Date(ms).toISOString();
}

export function maybeMoment(ms: number | null): string | null {
  return ms === null ? null : moment(ms);
}

/** A moment of the wire as milliseconds since the epoch. */
export function fromMoment(iso: string): number {
  return Date.parse(iso);
}

export function fromMaybeMoment(iso: string | null): number | null {
  return iso === null ? null : fromMoment(iso);
}

/** US dollars with six decimals. Sums of micro-dollars below nine billion dollars keep every digit. */
export function dollars(amount: number): string {
  return amount.toFixed(6);
}

const MICRO = 10n ** 12n;

/**
 * US dollars in any number of decimals with six, halves up, as databases write their figures in as many as they keep.
 *
 * @returns null for what is no amount
 */
export function sixDecimals(text: string | null | undefined): string | null {
  // In units of 10^-18 dollars.
  const exact = parseUsd(text);
  if (exact === null) return null;
  const digits = ((exact + MICRO / 2n) / MICRO).toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** A provider's text as a report carries it: without what cannot be seen, and of bounded length. */
export function shownText(text: string, limit: number = TEXT_LIMITS.address): string {
  return cleanText(text, limit) ?? '';
}

/** What cannot be seen in a text, or not be told from a space. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}]|[^\P{Z} ]/u;

/**
 * The URL that a report is about: exactly as it was given, or, where that has characters that cannot be seen,
 * percent-encoded by the URL standard, section 1.3. It is never cleaned, for without such a character it may be the URL of
 * somebody else.
 */
export function shownResource(resource: string): string {
  if (!HIDDEN.test(resource) && resource.trim() === resource) return resource.slice(0, TEXT_LIMITS.resource);
  const encoded = URL.parse(resource)?.href ?? encodeURI(resource.toWellFormed());
  return encoded.slice(0, TEXT_LIMITS.resource);
}

type Figures = TrustReport['components']['age']['inputs'];

/** Named figures that are moments, in milliseconds, by the names that moments have. */
const MOMENTS = /At$|Since$|^firstSeen$/;
/** Named figures that are amounts of US dollars. */
const DOLLARS = /Usd/;

/** Component inputs and the evidence of flags as the wire has them: moments, dollars and texts like everywhere else. */
export function figures(named: Readonly<Record<string, string | number | null>>): Figures {
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => {
      if (typeof value === 'string') return [name, shownText(value)];
      if (value !== null && MOMENTS.test(name)) return [name, moment(value)];
      return [name, value !== null && DOLLARS.test(name) ? dollars(value) : value];
    }),
  );
}
