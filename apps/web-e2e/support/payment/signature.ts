import { verifySignature } from '@touchstone/trust';

/** Verifies the signature of a document with the keys that the shared service publishes. */
export async function verifyDocument(document: unknown): Promise<string> {
  const response = await fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}/.well-known/touchstone-keys.json`);
  // The contract tests compare the keys with their schema, so the cast is safe.
  const keys = (await response.json()) as Parameters<typeof verifySignature>[1];
  const { outcome } = await verifySignature(document, keys, globalThis.crypto.subtle);
  return outcome;
}
