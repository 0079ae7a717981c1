import { signDocument } from '@touchstone/trust';
import { getSigningKeys } from '../platform/config/configured-keys.ts';

/** Signs a report or a summary. Without configured keys, the document is returned without a signature. */
export async function signIfConfigured<T extends Parameters<typeof signDocument>[0]>(
  document: T,
): Promise<T> {
  const keys = await getSigningKeys();
  return keys === null ? document : signDocument(document, keys.signing);
}
