import type { SettlementStep } from '@touchstone/x402';
import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import { toJson } from './json.ts';
import { isoTime, timeSchema } from './time.ts';

/** A count of blocks or of atomic units, as the database prints it. */
const wholeSchema = z.union([z.number(), z.string().regex(/^\d+$/)]).transform((value) => BigInt(value));
const anchorSchema = z.object({ number: wholeSchema, hash: z.string() });

const laneSchema = z
  .object({
    lane: z.number(),
    revision: z.number(),
    since: timeSchema,
    from_block: wholeSchema.nullable(),
    next_block: wholeSchema.nullable(),
    anchors: z.array(anchorSchema),
    span: z.number().nullable(),
    until_block: wholeSchema.nullable(),
    wallets: z.array(z.string()),
  })
  .transform(({ lane, revision, since, wallets, ...row }) => {
    const { from_block: fromBlock, next_block: nextBlock, anchors, span, until_block: until } = row;
    const began = fromBlock !== null && nextBlock !== null && span !== null;
    const cursor = began ? { fromBlock, nextBlock, anchors, span } : null;
    return { lane, revision, since, cursor, until, wallets };
  });

/**
 * Wallets of a network that are read together: from `cursor`, or from `since` (milliseconds since the epoch) where they
 * were not read yet, up to the block `until`, or to the head where that is null.
 */
export type ChainLane = z.infer<typeof laneSchema>;

/** Days after which a wallet that nobody advertises is no longer read: a listing may be missed for a while. */
const KEEP_WALLET_DAYS = 7;

/**
 * Has the wallets that endpoints advertise on a network (CAIP-2 id) read from now on, 30 days back, and lets go of those
 * that nobody advertises any more.
 */
export async function openChainLanes(
  db: Db,
  { network, now }: { readonly network: string; readonly now: number },
): Promise<{ added: number; letGo: number }> {
  const answer = await db.rpc('open_chain_lanes', {
    p_network: network,
    p_now: isoTime(now),
    p_keep_days: KEEP_WALLET_DAYS,
  });
  const [counts] = unwrap('open chain lanes', answer);
  return { added: counts?.added ?? 0, letGo: counts?.let_go ?? 0 };
}

/** What is to be read of a network now; empty where nobody advertises a wallet. */
export async function readChainLanes(db: Db, network: string): Promise<ChainLane[]> {
  const answer = await db.rpc('wallets_to_read', { p_network: network });
  return z.array(laneSchema).parse(unwrap('read which wallets to read', answer));
}

/** What recording a step did. */
export interface RecordedStep {
  /** Rows that were not known yet, and rows that a re-org took back. */
  readonly recorded: number;
  readonly removed: number;
  /** Nothing was stored: somebody else has changed the lane since it was read, and it is to be read again. */
  readonly stale: boolean;
}

/** Stores what a step found and where it ended, together or not at all, and each settlement once however often. */
export async function recordSettlements(
  db: Db,
  place: { readonly network: string; readonly lane: number; readonly revision: number; readonly now: number },
  step: SettlementStep,
): Promise<RecordedStep> {
  const { cursor, through, caughtUp, removedFrom, tooBusy = [] } = step;
  const anchors = cursor.anchors.map(({ number, hash }) => ({ number: Number(number), hash }));
  const answer = await db.rpc('record_settlements', {
    p_network: place.network,
    p_lane: place.lane,
    p_revision: place.revision,
    p_now: isoTime(place.now),
    p_step: toJson({
      cursor: {
        fromBlock: cursor.fromBlock.toString(),
        nextBlock: cursor.nextBlock.toString(),
        anchors,
        span: cursor.span,
      },
      throughAt: through === null ? null : isoTime(through.at),
      caughtUp,
      tooBusy,
      removedFrom: removedFrom?.toString() ?? null,
    }),
    p_rows: toJson(
      step.settlements.map((row) => ({
        ...row,
        blockNumber: row.blockNumber.toString(),
        at: isoTime(row.at),
        amount: row.amount.toString(),
      })),
    ),
  });
  const [done] = unwrap('record settlements', answer);
  return done ?? { recorded: 0, removed: 0, stale: true };
}

/** Deletes settlements and their sums of days before `keepFrom`, at most `limit` of each; there may be more then. */
export async function pruneSettlements(
  db: Db,
  { keepFrom, limit }: { readonly keepFrom: number; readonly limit: number },
): Promise<{ settlements: number; sums: number }> {
  const answer = await db.rpc('prune_settlements', {
    p_keep_from: isoTime(keepFrom).slice(0, 10),
    p_limit: limit,
  });
  const [counts] = unwrap('prune settlements', answer);
  return counts ?? { settlements: 0, sums: 0 };
}
