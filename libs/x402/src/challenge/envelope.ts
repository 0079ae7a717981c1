import { z } from 'zod';
import { readBazaar, readRouteTemplate, type Bazaar } from './bazaar-extension.ts';
import { readEntries, type Entry } from './accepts-entry.ts';
import { isObject } from '../json/is-object.ts';
import { toOption } from './payment-option.ts';
import type { PaymentOption } from '../types.ts';

const ResourceInfo = z.object({
  url: z.unknown().optional(),
  description: z.unknown().optional(),
  mimeType: z.unknown().optional(),
  serviceName: z.unknown().optional(),
  tags: z.unknown().optional(),
  iconUrl: z.unknown().optional(),
});

const EnvelopeFields = z.object({
  x402Version: z.unknown().optional(),
  error: z.unknown().optional(),
  resource: z.unknown().optional(),
  accepts: z.unknown().optional(),
  extensions: z.unknown().optional(),
});

/** A JSON object that may be a payment challenge, parsed but not validated. */
export interface Envelope {
  readonly fields: z.infer<typeof EnvelopeFields>;
  /** Protocol version, also when written as text; null when it is neither 1 nor 2. */
  readonly version: 1 | 2 | null;
  /** Null when `resource` is not an object. */
  readonly resource: z.infer<typeof ResourceInfo> | null;
  /** Number of entries in `accepts`; 0 when it is not a list. */
  readonly length: number;
  /** The first 64 entries. Null in place of an entry that is not an object. */
  readonly entries: readonly (Entry | null)[];
  readonly options: readonly PaymentOption[];
  /** The discovery extension; null when there is none. */
  readonly bazaar: Bazaar | null;
  /** Route template of the discovery extension; null when directories would not accept it. */
  readonly routeTemplate: string | null;
}

/**
 * Parses a JSON document as an envelope. Reads only named members, each once and no deeper than needed. The depth, the
 * length and the prototype keys of an untrusted document therefore do no harm.
 *
 * @returns null when the document is not a JSON object
 */
export function parseEnvelope(json: unknown): Envelope | null {
  const parsed = EnvelopeFields.safeParse(json);
  if (!parsed.success) return null;
  const fields = parsed.data;
  const version = readVersion(fields.x402Version);
  const entries = readEntries(fields.accepts);
  const bazaar = readBazaar(fields.extensions);
  return {
    fields,
    version,
    resource: isObject(fields.resource) ? ResourceInfo.parse(fields.resource) : null,
    length: Array.isArray(fields.accepts) ? fields.accepts.length : 0,
    entries,
    options: readOptions(entries, version),
    bazaar,
    routeTemplate: readRouteTemplate(bazaar),
  };
}

/** Returns the protocol version in `x402Version`, written as a number or as text; null for anything else. */
export function readVersion(value: unknown): 1 | 2 | null {
  if (value === 1 || value === '1') return 1;
  return value === 2 || value === '2' ? 2 : null;
}

/** Converts entries to payment options. Entries without a network are left out. */
export function readOptions(entries: readonly (Entry | null)[], version: 1 | 2 | null): PaymentOption[] {
  return entries.flatMap((entry) => (entry && toOption(entry, version)) ?? []);
}
