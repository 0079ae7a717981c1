import { z } from 'zod';
import { type Provider, RpcFailure } from '../rpc/provider.ts';

const countSchema = z.number().int().nonnegative();
const keySchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
export const slotSchema = countSchema;

/** Time of a slot in seconds since the epoch; null when the time is unknown. */
export const blockTimeSchema = z.number().int().min(0).max(253_402_300_799).nullable();

/** One transaction in a result of `getSignaturesForAddress`. */
const signatureSchema = z.object({
  signature: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/),
  slot: slotSchema,
  /** Null for a successful transaction. */
  err: z.unknown(),
  blockTime: blockTimeSchema,
});
export type Signature = z.infer<typeof signatureSchema>;

const balanceSchema = z.object({
  accountIndex: countSchema.max(255),
  mint: keySchema,
  owner: keySchema.optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/) }),
});

/**
 * The fields of a `getTransaction` result (`jsonParsed`) that this package uses; null for a transaction that the
 * provider does not have.
 */
export const transactionSchema = z
  .object({
    slot: slotSchema,
    blockTime: blockTimeSchema,
    transaction: z.object({
      signatures: z.array(z.string()).min(1),
      message: z.object({ accountKeys: z.array(z.object({ pubkey: keySchema })).min(1) }),
    }),
    meta: z.object({
      err: z.unknown(),
      preTokenBalances: z.array(balanceSchema).nullish(),
      postTokenBalances: z.array(balanceSchema).nullish(),
    }),
  })
  .nullable();
export type Transaction = NonNullable<z.infer<typeof transactionSchema>>;

/** Slots `from` to `to`, both included. Slots before the time `since` (milliseconds since the epoch) are excluded. */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
  readonly since: number;
}

const MAX_PAGE_SIZE = 1_000;
const pageSchema = z.array(signatureSchema).max(MAX_PAGE_SIZE);

function createParams(account: string, { to }: SlotRange, before?: string) {
  // With `minContextSlot`, a node that lags rejects the request. Without `minContextSlot`, the node would omit the
  // latest transactions.
  return [
    account,
    {
      limit: MAX_PAGE_SIZE,
      commitment: 'finalized',
      minContextSlot: to,
      ...(before === undefined ? {} : { before }),
    },
  ];
}

const isBefore = ({ slot, blockTime }: Signature, { from, since }: SlotRange): boolean =>
  slot < from || (blockTime !== null && blockTime * 1_000 < since);

/** Checks that a page continues a list: its slots descend, and it has new signatures. Otherwise the list has no end. */
function checkPage(
  page: readonly Signature[],
  listed: ReadonlyMap<string, Signature>,
  lastSlot: number,
): void {
  let slot = lastSlot;
  for (const entry of page) {
    if (entry.slot > slot) throw new RpcFailure('unusable', 'listed signatures in the wrong order');
    slot = entry.slot;
  }
  if (page.length > 0 && page.every(({ signature }) => listed.has(signature)))
    throw new RpcFailure('unusable', 'listed the same signatures again');
}

/**
 * Reads the signatures of the successful transactions of each account, newest first. Pages are requested until a page
 * is empty or contains an entry before the range. A short page is not the end, because nodes may return fewer entries
 * than the limit.
 */
export async function readSignatures(
  provider: Provider,
  accounts: readonly string[],
  range: SlotRange,
): Promise<Map<string, Signature[]>> {
  const firstPages = await provider.callMany(
    'getSignaturesForAddress',
    accounts.map((account) => createParams(account, range)),
    pageSchema,
  );
  const byAccount = new Map<string, Signature[]>();
  for (const [index, account] of accounts.entries()) {
    const listed = new Map<string, Signature>();
    let page = firstPages[index] ?? [];
    let lastSlot = Infinity;
    for (;;) {
      checkPage(page, listed, lastSlot);
      for (const entry of page) listed.set(entry.signature, entry);
      const last = page.at(-1);
      if (last === undefined || isBefore(last, range)) break;
      lastSlot = last.slot;
      const params = createParams(account, range, last.signature);
      page = await provider.call('getSignaturesForAddress', params, pageSchema);
    }
    byAccount.set(
      account,
      [...listed.values()].filter(
        (entry) => entry.slot <= range.to && !isBefore(entry, range) && entry.err === null,
      ),
    );
  }
  return byAccount;
}
