import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { formatDay } from '../client/timestamps.ts';

const amountSchema = z.string().regex(/^\d+$/).transform(BigInt);
const daySchema = z
  .object({
    day: z.string(),
    volume: amountSchema,
    settlements: z.number(),
    payers: z.number(),
    self_volume: amountSchema,
    self_settlements: z.number(),
  })
  .transform(({ self_volume: selfVolume, self_settlements: selfSettlements, ...row }) => ({
    ...row,
    selfVolume,
    selfSettlements,
  }));

/**
 * Figures of the x402 settlements to a wallet on one UTC day. Volumes are in atomic units. All figures include
 * self-payments; `selfVolume` and `selfSettlements` show the self-payments separately.
 */
export type WalletDay = z.infer<typeof daySchema>;

/**
 * Returns the days on which a wallet was paid, in chronological order. `from` and `to` are times in milliseconds since
 * the epoch; both days are included.
 */
export async function readWalletDays(
  db: Db,
  wallet: { readonly network: string; readonly payTo: string },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<WalletDay[]> {
  const response = await db.rpc('wallet_days', {
    p_network: wallet.network,
    p_pay_to: wallet.payTo,
    p_from: formatDay(from),
    p_to: formatDay(to),
  });
  return z.array(daySchema).parse(unwrap('read the days of a wallet', response));
}
