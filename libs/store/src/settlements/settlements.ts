import { formatTimestamp } from '@touchstone/common';
import type { SettlementStep } from '@touchstone/x402';
import { z } from 'zod';
import { call, callForRow, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { bigintSchema, timestampSchema } from '../client/values.ts';

const anchorSchema = z.object({ number: bigintSchema, hash: z.string() });

const groupSchema = createRowSchema({
  walletGroup: z.number(),
  revision: z.number(),
  since: timestampSchema,
  fromBlock: bigintSchema.nullable(),
  nextBlock: bigintSchema.nullable(),
  anchors: z.array(anchorSchema),
  span: z.number().nullable(),
  untilBlock: bigintSchema.nullable(),
  wallets: z.array(z.string()),
}).transform(({ walletGroup: group, revision, since, wallets, ...row }) => {
  const { fromBlock, nextBlock, anchors, span, untilBlock: until } = row;
  const began = fromBlock !== null && nextBlock !== null && span !== null;
  const cursor = began ? { fromBlock, nextBlock, anchors, span } : null;
  return { group, revision, since, cursor, until, wallets };
});

/**
 * Wallets of a network whose settlements are read together. The first step starts at the time `since` (milliseconds
 * since the epoch), each later step at `cursor`. Reading ends at the block `until`, or at the head of the chain if
 * `until` is null.
 */
export type WalletGroup = z.infer<typeof groupSchema>;

/** Number of days between the last advertisement of a wallet and the removal of the wallet. */
const KEEP_WALLET_DAYS = 7;

/**
 * Adds newly advertised wallets of a network (CAIP-2 id) to a wallet group. The settlements of these wallets are read
 * from 30 days before `now`. Removes wallets that no endpoint has advertised for `KEEP_WALLET_DAYS`.
 */
export async function assignWalletGroups(
  db: Db,
  { network, now }: { readonly network: string; readonly now: number },
): Promise<{ added: number; removed: number }> {
  const keepDays = KEEP_WALLET_DAYS;
  return callForRow(db, 'assign_wallet_groups', { network, now: formatTimestamp(now), keepDays });
}

/** Returns the wallet groups of a network that can be read now; an empty array if no wallets are advertised. */
export async function readWalletGroups(db: Db, network: string): Promise<WalletGroup[]> {
  return z.array(groupSchema).parse(await call(db, 'list_wallet_groups', { network }));
}

/**
 * Stores the settlements of a step and the end of its block range in one transaction. A step is a range of blocks that
 * was read for one wallet group. Duplicate settlements are ignored.
 *
 * @returns `recorded` is the number of stored settlements, and `removed` is the number of settlements deleted after a
 * reorg. `stale` is true if the wallet group has changed since the step was read: nothing is stored then, and the
 * caller must read the wallet group again.
 */
export async function recordSettlements(
  db: Db,
  read: { readonly network: string; readonly group: number; readonly revision: number; readonly now: number },
  step: SettlementStep,
): Promise<{ recorded: number; removed: number; stale: boolean }> {
  const { cursor, through, caughtUp, removedFrom, tooBusy = [] } = step;
  const anchors = cursor.anchors.map(({ number, hash }) => ({ number: Number(number), hash }));
  return callForRow(db, 'record_settlements', {
    ...read,
    now: formatTimestamp(read.now),
    step: {
      cursor: {
        fromBlock: cursor.fromBlock.toString(),
        nextBlock: cursor.nextBlock.toString(),
        anchors,
        span: cursor.span,
      },
      throughAt: through === null ? null : formatTimestamp(through.at),
      caughtUp,
      tooBusy,
      removedFrom: removedFrom?.toString() ?? null,
    },
    rows: step.settlements.map(({ logIndex, blockNumber, blockHash, payTo, ...row }) => ({
      ...row,
      network: read.network,
      log_index: logIndex,
      block_number: blockNumber.toString(),
      block_hash: blockHash,
      at: formatTimestamp(row.at),
      pay_to: payTo,
      amount: row.amount.toString(),
    })),
  });
}
