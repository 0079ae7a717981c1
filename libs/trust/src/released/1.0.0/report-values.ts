import { cleanText } from '@touchstone/x402';
import { MAX_ADDRESS_LENGTH, type Report } from './report-schema.ts';

/** Conversions between values of the score formula and the form of these values in a report. */

/** Formats milliseconds since the epoch as an ISO 8601 time. */
export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function toIsoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : toIsoTime(ms);
}

/** Parses an ISO 8601 time into milliseconds since the epoch. */
export function parseIsoTime(iso: string): number {
  return Date.parse(iso);
}

export function parseIsoTimeOrNull(iso: string | null): number | null {
  return iso === null ? null : parseIsoTime(iso);
}

type Figures = Report['components']['age']['inputs'];

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
      if (typeof value === 'string') return [name, cleanText(value, MAX_ADDRESS_LENGTH) ?? ''];
      if (value !== null && TIMES.test(name)) return [name, toIsoTime(value)];
      return [name, value !== null && DOLLARS.test(name) ? value.toFixed(6) : value];
    }),
  );
}
