import { z } from 'zod';
import type { Provider } from '../rpc/provider.ts';
import { RpcFailure } from '../rpc/rpc-failure.ts';
import { signatureSchema, type Signature } from './schemas.ts';

/** What is wanted of an account: slots from `from` to `to`, both inside, but none whose time is before `since` (ms). */
export interface SignatureRange {
  readonly from: number;
  readonly to: number;
  readonly since: number;
}

const PAGE = 1_000;
const pageSchema = z.array(signatureSchema).max(PAGE);

function paramsOf(account: string, { to }: SignatureRange, before?: string) {
  // A backend that is behind the slot refuses, rather than leave out what it does not have yet.
  return [
    account,
    { limit: PAGE, commitment: 'finalized', minContextSlot: to, ...(before === undefined ? {} : { before }) },
  ];
}

const isBefore = ({ slot, blockTime }: Signature, { from, since }: SignatureRange): boolean =>
  slot < from || (blockTime !== null && blockTime * 1_000 < since);

function checkOrder(page: readonly Signature[], above: number): void {
  let slot = above;
  for (const entry of page) {
    if (entry.slot > slot) throw new RpcFailure('unusable', 'answered signatures out of order');
    slot = entry.slot;
  }
}

/**
 * The transactions that touched each of the accounts, newest first. Pages are asked for until one is empty or goes back
 * behind the range, whatever their size: a page that is not full proves nothing.
 */
export async function readSignatures(
  provider: Provider,
  accounts: readonly string[],
  range: SignatureRange,
): Promise<Map<string, Signature[]>> {
  const firstPages = await provider.callMany(
    'getSignaturesForAddress',
    accounts.map((account) => paramsOf(account, range)),
    pageSchema,
  );
  const byAccount = new Map<string, Signature[]>();
  for (const [index, account] of accounts.entries()) {
    const found: Signature[] = [];
    let page = firstPages[index] ?? [];
    for (;;) {
      checkOrder(page, found.at(-1)?.slot ?? Infinity);
      found.push(...page);
      const last = page.at(-1);
      if (last === undefined || isBefore(last, range)) break;
      const params = paramsOf(account, range, last.signature);
      page = await provider.call('getSignaturesForAddress', params, pageSchema);
    }
    byAccount.set(
      account,
      found.filter((entry) => entry.slot <= range.to && !isBefore(entry, range) && entry.err === null),
    );
  }
  return byAccount;
}
