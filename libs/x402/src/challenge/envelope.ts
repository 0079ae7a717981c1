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

/** A JSON object that may be a payment challenge, opened but not yet judged. */
export interface Envelope {
  readonly fields: z.infer<typeof EnvelopeFields>;
  /** The version it means, also where it is written as text; null when it names none. */
  readonly version: 1 | 2 | null;
  /** Null when `resource` is no object. */
  readonly resource: z.infer<typeof ResourceInfo> | null;
  /** How many entries `accepts` has; 0 where it is no list. */
  readonly length: number;
  /** The first of them. Null in the place of an entry that is no object. */
  readonly entries: readonly (Entry | null)[];
  readonly options: readonly PaymentOption[];
  /** The discovery extension; null when there is none. */
  readonly bazaar: Bazaar | null;
  /** Of the discovery extension; null when it is none that directories accept. */
  readonly routeTemplate: string | null;
}

/**
 * Opens a parsed JSON document as an envelope. Reads named members only, each once and none deeper than it
 * must, so neither depth, length nor prototype keys of the document matter.
 *
 * @returns null when it is no JSON object
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

/** The version a document means by its `x402Version`, whether written as a number or as text. */
export function readVersion(value: unknown): 1 | 2 | null {
  if (value === 1 || value === '1') return 1;
  return value === 2 || value === '2' ? 2 : null;
}

/** The options among entries; entries that name no network are left out. */
export function readOptions(entries: readonly (Entry | null)[], version: 1 | 2 | null): PaymentOption[] {
  return entries.flatMap((entry) => (entry && toOption(entry, version)) ?? []);
}
