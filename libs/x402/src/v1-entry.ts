import { z } from 'zod';
import { isBase58Address, isEvmAddress } from './address.ts';
import { isInV1Client } from './networks.ts';

const ASSET = /^0x[a-fA-F0-9]{40}|[A-Za-z0-9][A-Za-z0-9-]{0,34}[A-Za-z0-9]$|^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** What the last version 1 client demands of every entry. Source: x402 1.2, `PaymentRequirementsSchema`. */
const V1Entry = z.object({
  scheme: z.literal('exact'),
  network: z.string().refine(isInV1Client),
  maxAmountRequired: z.string().refine((text) => Number.isInteger(Number(text)) && Number(text) >= 0),
  resource: z.string().refine((text) => URL.canParse(text)),
  description: z.string(),
  mimeType: z.string(),
  // The specification allows null here and the client's schema does not; sellers that follow it are not blamed.
  outputSchema: z.record(z.string(), z.unknown()).nullish(),
  payTo: z.string().refine((text) => isEvmAddress(text) || isBase58Address(text)),
  maxTimeoutSeconds: z.int(),
  asset: z.string().regex(ASSET),
  extra: z.record(z.string(), z.unknown()).optional(),
});

/** True when the version 1 client can parse an entry of `accepts`; it pays nothing on a challenge with one it cannot. */
export function parsesInV1Client(entry: unknown): boolean {
  return V1Entry.safeParse(entry).success;
}
