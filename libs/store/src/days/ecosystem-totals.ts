import { unwrap, type Db } from '../client/client.ts';

/**
 * Computes the statistics of all public snapshots again and stores them, because pages read only the stored ones. Returns
 * true if they changed.
 */
export async function refreshEcosystem(db: Db): Promise<boolean> {
  return unwrap('refresh the ecosystem', await db.rpc('refresh_ecosystem'));
}
