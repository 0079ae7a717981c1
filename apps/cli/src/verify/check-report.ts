import { webcrypto } from 'node:crypto';
import { trustReportSchema } from '@touchstone/contract';
import { recompute, verifySignature, type Recomputed, type SignatureCheck } from '@touchstone/trust';
import type { KeyRing } from './key-ring.ts';

/** Result of checking a signature. `keysFrom` is the source of the keys; null when no key was needed. */
export type SignatureResult =
  | (SignatureCheck & { readonly keysFrom: string | null })
  | { readonly outcome: 'no-keys'; readonly reason: string }
  | { readonly outcome: 'not-asked' };

/** A report with the results of its checks. */
export interface CheckedReport {
  /** Location in the input, such as `line 2`; empty when the input is one report. */
  readonly location: string;
  readonly figures: Recomputed;
  readonly signature: SignatureResult;
}

/**
 * Checks the figures and the signature of a report.
 *
 * @param report any value that was parsed from JSON
 * @param keyRing keys for checking the signature; null to check only the figures
 */
export async function checkReport(
  location: string,
  report: unknown,
  keyRing: KeyRing | null,
): Promise<CheckedReport> {
  return { location, figures: recompute(report), signature: await checkSignature(report, keyRing) };
}

const signedSchema = trustReportSchema.pick({ signature: true }).loose();

async function checkSignature(report: unknown, keyRing: KeyRing | null): Promise<SignatureResult> {
  if (keyRing === null) return { outcome: 'not-asked' };
  const parsed = signedSchema.safeParse(report);
  if (!parsed.success) return { outcome: 'no-report', keysFrom: null };
  const { signature } = parsed.data;
  if (signature === null) return { outcome: 'unsigned', keysFrom: null };
  const found = await keyRing(signature);
  if (found.keys === null) return { outcome: 'no-keys', reason: found.reason };
  return { ...(await verifySignature(report, found.keys, webcrypto.subtle)), keysFrom: found.from };
}

/**
 * Returns the exit code for a checked report: 0 when figures and signature are valid, 1 when a figure differs or the
 * signature is not by the service, 2 when the figures or the signature could not be checked.
 */
export function toExitCode({ figures, signature }: CheckedReport): 0 | 1 | 2 {
  const isForged = ['forged', 'unknown-key', 'key-out-of-use'].includes(signature.outcome);
  if (figures.outcome === 'differs' || isForged) return 1;
  const isAccepted = signature.outcome === 'valid' || signature.outcome === 'not-asked';
  return figures.outcome === 'agrees' && isAccepted ? 0 : 2;
}
