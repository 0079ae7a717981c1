import type { ClaimContext } from '@touchstone/pipeline/claims/claim-context';
import { createSiteProofReader } from '@touchstone/pipeline/create-probers';
import { expireTags } from '../serving/page-cache/expire-tags.ts';
import { getConfig, getSiteOrigin } from '../platform/config/config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { getProcessValue } from '../platform/process-value.ts';

/** Returns the context of the operations on claims. All requests of this process share the reader of proofs. */
export function getClaimContext(): ClaimContext {
  const readProof = getProcessValue('proof-reader', () =>
    createSiteProofReader({ ...getConfig().probe, baseUrl: getSiteOrigin(process.env) }),
  );
  return { db: getSecretDatabase(), readProof, now: Date.now, onChanged: expireTags };
}
