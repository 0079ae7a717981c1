import { unwrap, type Db } from './client.ts';

/**
 * Reads at most one row, to find out if the database responds.
 * @throws StoreError when it does not
 */
export async function checkConnection(db: Db): Promise<void> {
  unwrap('check the connection', await db.from('snapshots').select('endpoint_id').limit(1));
}
