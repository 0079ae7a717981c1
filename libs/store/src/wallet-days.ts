import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import { isoTime } from './time.ts';

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
 * What x402 settled with a wallet on a day (UTC). Volumes are in atomic units; self-payments are in all the figures, and
 * apart in two of them.
 */
export type WalletDay = z.infer<typeof daySchema>;

/** The days from `from` to `to` (milliseconds since the epoch, both inside) on which a wallet was paid, in their order. */
export async function readWalletDays(
  db: Db,
  wallet: { readonly network: string; readonly payTo: string },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<WalletDay[]> {
  const answer = await db.rpc('wallet_days', {
    p_network: wallet.network,
    p_pay_to: wallet.payTo,
    p_from: isoTime(from).slice(0, 10),
    p_to: isoTime(to).slice(0, 10),
  });
  return z.array(daySchema).parse(unwrap('read the days of a wallet', answer));
}
