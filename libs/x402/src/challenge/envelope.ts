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
  /** Protocol version, given as a number or as text such as `"2"`; null for any other value. */
  readonly version: 1 | 2 | null;
  /** Members of `resource`; null when `resource` is not an object. */
  readonly resource: z.infer<typeof ResourceInfo> | null;
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
