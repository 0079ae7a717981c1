import { webcrypto } from 'node:crypto';
import { trustReportSchema } from '@touchstone/contract';
import { recompute, verifySignature, type Recomputed, type SignatureCheck } from '@touchstone/trust';
import type { KeyRing } from './key-ring.ts';

export type SignatureResult =
  | (SignatureCheck & { readonly keysFrom: string | null })
  | { readonly outcome: 'no-keys'; readonly reason: string }
  | { readonly outcome: 'not-asked' };

/** A report with what was found. */
export interface Checked {
  readonly place: string;
  readonly figures: Recomputed;
  readonly signature: SignatureResult;
}

/**
 * Checks the figures of a report, and who made it.
 *
 * @param report anything that was parsed from JSON
 * @param keyRing null leaves the signature aside
 */
export async function checkReport(place: string, report: unknown, keyRing: KeyRing | null): Promise<Checked> {
  return { place, figures: recompute(report), signature: await signatureOf(report, keyRing) };
}

const carriesSignature = trustReportSchema.pick({ signature: true }).loose();

async function signatureOf(report: unknown, keyRing: KeyRing | null): Promise<SignatureResult> {
  if (keyRing === null) return { outcome: 'not-asked' };
  const parsed = carriesSignature.safeParse(report);
  if (!parsed.success) return { outcome: 'no-report', keysFrom: null };
  const { signature } = parsed.data;
  if (signature === null) return { outcome: 'unsigned', keysFrom: null };
  const found = await keyRing(signature);
  if (found.keys === null) return { outcome: 'no-keys', reason: found.reason };
  return { ...(await verifySignature(report, found.keys, webcrypto.subtle)), keysFrom: found.from };
}

/** 0: figures and signature are good; 1: a figure differs, or the service did not make it; 2: neither can be said. */
export function exitCodeOf({ figures, signature }: Checked): 0 | 1 | 2 {
  const isForged = ['forged', 'unknown-key', 'key-out-of-use'].includes(signature.outcome);
  if (figures.outcome === 'differs' || isForged) return 1;
  const isSigned = signature.outcome === 'valid' || signature.outcome === 'not-asked';
  return figures.outcome === 'agrees' && isSigned ? 0 : 2;
}
