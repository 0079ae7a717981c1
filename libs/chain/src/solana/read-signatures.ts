import { z } from 'zod';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import { signatureSchema, type Signature } from './schemas.ts';

/** Slots `from` to `to`, both included. Slots before the time `since` (milliseconds since the epoch) are excluded. */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
  readonly since: number;
}

const MAX_PAGE_SIZE = 1_000;
const pageSchema = z.array(signatureSchema).max(MAX_PAGE_SIZE);

function createParams(account: string, { to }: SlotRange, before?: string) {
  // `minContextSlot` makes a node that lags reject the request. Without it, the node would omit the latest
  // transactions.
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

function checkDescending(page: readonly Signature[], maxSlot: number): void {
  let slot = maxSlot;
  for (const entry of page) {
    if (entry.slot > slot) throw new RpcFailure('unusable', 'listed signatures in the wrong order');
    slot = entry.slot;
  }
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
    const signatures: Signature[] = [];
    let page = firstPages[index] ?? [];
    for (;;) {
      checkDescending(page, signatures.at(-1)?.slot ?? Infinity);
      signatures.push(...page);
      const last = page.at(-1);
      if (last === undefined || isBefore(last, range)) break;
      const params = createParams(account, range, last.signature);
      page = await provider.call('getSignaturesForAddress', params, pageSchema);
    }
    byAccount.set(
      account,
      signatures.filter((entry) => entry.slot <= range.to && !isBefore(entry, range) && entry.err === null),
    );
  }
  return byAccount;
}
