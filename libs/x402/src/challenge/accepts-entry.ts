import { z } from 'zod';

/**
 * Maximum number of entries that are read from one `accepts` list. It is far above 16, the maximum that the CDP
 * directory accepts.
 */
const MAX_ENTRIES = 64;

const Extra = z.object({
  name: z.unknown().optional(),
  version: z.unknown().optional(),
  symbol: z.unknown().optional(),
  assetTransferMethod: z.unknown().optional(),
  paymentFlow: z.unknown().optional(),
  feePayer: z.unknown().optional(),
  authCaptureEscrow: z.unknown().optional(),
  captureAuthorizer: z.unknown().optional(),
  captureDeadline: z.unknown().optional(),
  escrow: z.unknown().optional(),
  escrowAddress: z.unknown().optional(),
  escrowContract: z.unknown().optional(),
});

/**
 * Members of an `accepts` entry that this package reads, in both protocol versions. Their values are not validated yet.
 */
const EntryFields = z.object({
  scheme: z.unknown().optional(),
  network: z.unknown().optional(),
  amount: z.unknown().optional(),
  maxAmountRequired: z.unknown().optional(),
  asset: z.unknown().optional(),
  currency: z.unknown().optional(),
  payTo: z.unknown().optional(),
  recipient: z.unknown().optional(),
  maxTimeoutSeconds: z.unknown().optional(),
  resource: z.unknown().optional(),
  description: z.unknown().optional(),
  mimeType: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  extra: Extra.nullish().catch(undefined),
});

export type EntryFields = z.infer<typeof EntryFields>;

/** One entry of `accepts`: the members that this package reads, and the original JSON object with all members. */
export interface Entry {
  readonly fields: EntryFields;
  readonly raw: unknown;
}

/**
 * Reads the first 64 entries of an `accepts` list. An entry that is not an object becomes null.
 *
 * @param accepts any JSON value; a value that is not a list has no entries
 */
export function readEntries(accepts: unknown): readonly (Entry | null)[] {
  if (!Array.isArray(accepts)) return [];
  return accepts.slice(0, MAX_ENTRIES).map((raw: unknown) => {
    const fields = EntryFields.safeParse(raw);
    return fields.success ? { fields: fields.data, raw } : null;
  });
}
