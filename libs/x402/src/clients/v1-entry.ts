import { z } from 'zod';
import { isInV1Client } from '../networks/networks.ts';

const EVM_OR_SOLANA = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;
/**
 * Patterns for the beginning and the end of an asset. The client accepts any text that begins with an EVM address or
 * ends in letters and digits, so the middle of a long text is not read.
 */
const ASSET_START = /^0x[a-fA-F0-9]{40}/;
const ASSET_END = /[A-Za-z0-9][A-Za-z0-9-]{0,34}[A-Za-z0-9]$/;
const ASSET_END_LENGTH = 36;

function isAsset(text: string): boolean {
  return ASSET_START.test(text.slice(0, 42)) || ASSET_END.test(text.slice(-ASSET_END_LENGTH));
}

const Members = z.record(z.string(), z.unknown());

/**
 * Entry format that the last version 1 client requires. It is stricter than the specification, which allows a null
 * `outputSchema` and makes the MIME type optional. This format matters because it decides if the client pays.
 * Source: x402 1.2, `PaymentRequirementsSchema`.
 */
const V1Entry = z.object({
  scheme: z.literal('exact'),
  network: z.string().refine(isInV1Client),
  maxAmountRequired: z.string().refine((text) => Number.isInteger(Number(text)) && Number(text) >= 0),
  resource: z.string().refine((text) => URL.canParse(text)),
  description: z.string(),
  mimeType: z.string(),
  outputSchema: Members.optional(),
  payTo: z.string().regex(EVM_OR_SOLANA),
  maxTimeoutSeconds: z.number().refine((seconds) => Number.isInteger(seconds)),
  asset: z.string().refine(isAsset),
  extra: Members.optional(),
});

/** Returns true when the version 1 client can parse an `accepts` entry. One unparsable entry prevents any payment. */
export function canV1ClientParse(entry: unknown): boolean {
  return V1Entry.safeParse(entry).success;
}

/**
 * Returns the name of the first member that prevents the version 1 client from parsing an entry; null when the entry is
 * not an object.
 */
export function findUnparsedMember(entry: unknown): string | null {
  const name = V1Entry.safeParse(entry).error?.issues[0]?.path[0];
  return name === undefined ? null : String(name);
}
