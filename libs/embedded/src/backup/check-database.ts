import { z } from 'zod';
import { openDatabase } from '../open/open-database.ts';

const countSchema = z.tuple([z.object({ payments: z.number() })]);

/**
 * Opens a data folder without upgrading it, which recovers it from its log, and reads it.
 *
 * @returns number of recorded payments
 * @throws OpenError when the folder is damaged
 */
export async function checkDatabase(folder: string): Promise<{ readonly payments: number }> {
  const { connection } = await openDatabase({ dataDir: folder, onFatal: () => undefined });
  try {
    const { rows } = await connection.driver.query('select count(*)::int as payments from public.payments');
    return countSchema.parse(rows)[0];
  } finally {
    await connection.close();
  }
}
