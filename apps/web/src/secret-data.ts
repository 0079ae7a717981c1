import { connect, type Db } from '@touchstone/store';
import { config } from './config.ts';
import { fetchInTime } from './fetch-in-time.ts';

let db: Db | undefined;

/** The database as what is sold needs it, opened at first use: the build has none. Pages never use it. */
export function secretDb(): Db {
  const { supabaseUrl, supabaseSecretKey } = config();
  db ??= connect({ url: supabaseUrl, key: supabaseSecretKey, fetch: fetchInTime });
  return db;
}
