import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import { toJson } from './json.ts';
import { isoTime, timeSchema } from './time.ts';

/** A wallet of a set, whose network is a CAIP-2 id. */
export interface SetWallet {
  readonly network: string;
  readonly payTo: string;
  /** False for one whose own sales are not read: what it pays to the others is no sale all the same. */
  readonly counts: boolean;
}

/** What x402 settled in the last 30 days. */
export interface PaidFigures {
  /** In atomic units. */
  readonly volume: bigint;
  readonly settlements: number;
  readonly payers: number;
  /** Part of the volume that the largest payer brought, 0 to 1. */
  readonly topPayerShare: number;
  /** Milliseconds since the epoch; it may be more than 30 days ago. */
  readonly lastSettledAt: number | null;
}

const volumeSchema = z.string().regex(/^\d+$/).transform(BigInt);
const sumsSchema = z.object({
  volume: volumeSchema,
  settlements: z.number(),
  payers: z.number(),
  topVolume: volumeSchema,
});

function sumsOf({ topVolume, ...sums }: z.infer<typeof sumsSchema>) {
  // A share is no money: six decimals of it are kept, computed in whole numbers.
  const topPayerShare = sums.volume === 0n ? 0 : Number((topVolume * 1_000_000n) / sums.volume) / 1_000_000;
  return { ...sums, topPayerShare };
}

const walletSchema = z.object({
  network: z.string(),
  payTo: z.string(),
  throughBlock: z.number().transform(BigInt).nullable(),
  throughAt: timeSchema.nullable(),
  figures: sumsSchema
    .extend({ lastSettledAt: timeSchema.nullable(), selfVolume: volumeSchema, selfSettlements: z.number() })
    .transform(({ lastSettledAt, selfVolume, selfSettlements, ...sums }) => ({
      ...sumsOf(sums),
      lastSettledAt,
      self: { volume: selfVolume, settlements: selfSettlements },
    }))
    .nullable(),
});

/**
 * What was settled with a wallet of a set. `figures` is null where it does not count, or not all of 30 days was read up to
 * at most a day ago: that is not zero. What wallets of the set paid to it is in `self` only.
 */
export type WalletFigures = z.infer<typeof walletSchema>;

const setSchema = z
  .object({ set_number: z.number(), wallets: z.array(walletSchema), total: sumsSchema.nullable() })
  .transform(({ set_number: number, wallets, total }) => ({
    number,
    wallets,
    total: totalOf(wallets, total),
  }));

/** What was settled with a set of wallets. */
export interface SetFigures {
  /** In no particular order. Addresses of EVM networks are in small letters. */
  readonly wallets: readonly WalletFigures[];
  /** Of all that were measured, with each payer once; null where none was. */
  readonly total: PaidFigures | null;
}

/** Where one wallet alone was measured, the figures of the set are its own. */
function totalOf(
  wallets: readonly WalletFigures[],
  total: z.infer<typeof sumsSchema> | null,
): PaidFigures | null {
  const measured = wallets.flatMap(({ figures }) => figures ?? []);
  const [first] = measured;
  if (first === undefined) return null;
  const { volume, settlements, payers, topPayerShare } = total === null ? first : sumsOf(total);
  const times = measured.flatMap(({ lastSettledAt }) => lastSettledAt ?? []);
  const lastSettledAt = times.length === 0 ? null : Math.max(...times);
  return { volume, settlements, payers, topPayerShare, lastSettledAt };
}

/** What was settled with up to 1,000 sets of wallets, in their order. A set that is given twice is summed twice. */
export async function readSettlementFigures(
  db: Db,
  sets: readonly (readonly SetWallet[])[],
  now: number,
): Promise<SetFigures[]> {
  const given = sets.map((wallets) =>
    wallets.map(({ network, payTo, counts }) => ({ network, payTo, counts })),
  );
  const answer = await db.rpc('settlement_figures', { p_sets: toJson(given), p_now: isoTime(now) });
  const rows = z.array(setSchema).parse(unwrap('read settlement figures', answer));
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return sets.map((_, index) => byNumber.get(index + 1) ?? { wallets: [], total: null });
}
