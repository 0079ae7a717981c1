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
 * The x402 settlements of a wallet on a day (UTC). Volumes are in atomic units. All figures include self-payments, which
 * are also reported separately.
 */
export type WalletDay = z.infer<typeof daySchema>;

/** Returns the days on which a wallet was paid, in order, from `from` to `to` (milliseconds since the epoch, both inclusive). */
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
