import { formatTimestamp } from '@touchstone/common';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { bigintSchema, timestampSchema } from '../client/values.ts';

/** One wallet of a set of wallets, such as the wallets of one endpoint; `network` is a CAIP-2 id. */
export interface SetWallet {
  readonly network: string;
  readonly payTo: string;
  /**
   * False if settlements to this wallet are not counted. Payments from this wallet to other wallets of the set still
   * count as self-payments.
   */
  readonly isCounted: boolean;
}

/** Totals of the x402 settlements of the last 30 days. */
interface PaidFigures {
  /** Volume that stayed, in atomic units. */
  readonly volume: bigint;
  /** Volume that was sent back to payers, in atomic units; not part of `volume`. */
  readonly returned: bigint;
  /** The wallets, at most three, that sent most of `returned` to payers. Addresses of EVM networks are in lower case. */
  readonly returnedBy: readonly ReturningWallet[];
  /** Number of settlements, including those whose amount was sent back. */
  readonly settlements: number;
  /** Number of payers of which something stayed. */
  readonly payers: number;
  /** Number of these payers that paid on at least two UTC days. */
  readonly repeatPayers: number;
  /** Share of the largest payer in the volume that stayed, from 0 to 1. */
  readonly topPayerShare: number;
  /** Time of the latest settlement in milliseconds since the epoch; can be more than 30 days ago. */
  readonly lastSettledAt: number | null;
}

const sumsSchema = z.object({
  volume: bigintSchema,
  settlements: z.number(),
  payers: z.number(),
  topVolume: bigintSchema,
});

const returningWalletSchema = z.object({
  network: z.string(),
  wallet: z.string(),
  /** True for a wallet outside the set that wallets of the set funded. */
  isFunded: z.boolean(),
  /** Volume that the wallet sent back, in atomic units. */
  volume: bigintSchema,
});
/** Wallet that sent payments back to payers. */
type ReturningWallet = z.infer<typeof returningWalletSchema>;

const totalSchema = sumsSchema.extend({
  returned: bigintSchema,
  repeatPayers: z.number(),
  returnedBy: z.array(returningWalletSchema),
});

function toFigures<T extends z.infer<typeof sumsSchema>>({ topVolume, ...sums }: T) {
  // Volumes can exceed the exact range of a number, so the share is divided as integers. Six decimals are enough for a
  // share.
  const topPayerShare = sums.volume === 0n ? 0 : Number((topVolume * 1_000_000n) / sums.volume) / 1_000_000;
  return { ...sums, topPayerShare };
}

const walletSchema = z.object({
  network: z.string(),
  payTo: z.string(),
  throughBlock: z.number().transform(BigInt).nullable(),
  throughAt: timestampSchema.nullable(),
  figures: sumsSchema
    .extend({
      lastSettledAt: timestampSchema.nullable(),
      selfVolume: bigintSchema,
      selfSettlements: z.number(),
    })
    .transform(({ lastSettledAt, selfVolume, selfSettlements, ...sums }) => ({
      ...toFigures(sums),
      lastSettledAt,
      self: { volume: selfVolume, settlements: selfSettlements },
    }))
    .nullable(),
});

/**
 * Settlements of one wallet of a set. `figures` is null (not zero) if the wallet is not counted, or if the last 30 days
 * were not completely read from the chain. Only the last of these days may be incomplete. Payments from wallets of the
 * same set are counted only in `self`. Payments whose amount was sent back are included.
 */
export type WalletFigures = z.infer<typeof walletSchema>;

const setSchema = createRowSchema({
  setNumber: z.number(),
  wallets: z.array(walletSchema),
  total: totalSchema.nullable(),
}).transform((set) => ({ ...set, total: toTotal(set.wallets, set.total) }));

/** Settlement figures of a set of wallets. */
export interface SetFigures {
  /** Figures of each wallet, in no particular order. Addresses of EVM networks are in lower case. */
  readonly wallets: readonly WalletFigures[];
  /** Total of all measured wallets, in which each payer counts once; null if no wallet was measured. */
  readonly total: PaidFigures | null;
}

const NOTHING_PAID = {
  ...{ volume: 0n, returned: 0n, returnedBy: [], settlements: 0 },
  ...{ payers: 0, repeatPayers: 0, topVolume: 0n },
};

function toTotal(
  wallets: readonly WalletFigures[],
  total: z.infer<typeof totalSchema> | null,
): PaidFigures | null {
  const measured = wallets.flatMap(({ figures }) => figures ?? []);
  if (measured.length === 0) return null;
  const times = measured.flatMap(({ lastSettledAt }) => lastSettledAt ?? []);
  return {
    ...toFigures(total ?? NOTHING_PAID),
    lastSettledAt: times.length === 0 ? null : Math.max(...times),
  };
}

/**
 * Returns the settlement figures of at most 1,000 sets of wallets, in the order of `sets`. Equal sets are computed
 * separately.
 */
export async function readSettlementFigures(
  db: Db,
  sets: readonly (readonly SetWallet[])[],
  now: number,
): Promise<SetFigures[]> {
  const rows = z
    .array(setSchema)
    .parse(await call(db, 'settlement_figures', { sets, now: formatTimestamp(now) }));
  const byNumber = new Map(rows.map((row) => [row.setNumber, row]));
  return sets.map((_, index) => byNumber.get(index + 1) ?? { wallets: [], total: null });
}
