import { getPublicStore } from '../../platform/database/databases.ts';
import { readThroughCache } from '../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';
import { decodeCompareParams } from './compare-params.ts';
import type { Comparison } from './compare.tsx';

/**
 * Loads the endpoints to compare with one query. The data is never stored, because clients can send any number of
 * different parameters.
 *
 * @param segment Path segment with the parameters.
 */
export function loadComparison(segment: string): Promise<Comparison> {
  return readThroughCache(['compare', segment], UNSTORED_TAG, async () => {
    const compared = decodeCompareParams(segment);
    const found = await getPublicStore().readSnapshots(compared.ids);
    const byId = new Map(found.map((snapshot) => [snapshot.endpointId, snapshot]));
    return { compared, snapshots: compared.ids.flatMap((id) => byId.get(id) ?? []) };
  });
}
