/** What pairing reads of a transfer or an authorization. */
export interface PayerLog {
  readonly transaction: string;
  readonly logIndex: number;
  /** From of the transfer, authorizer of the authorization. */
  readonly payer: string;
}

const keyOf = ({ transaction, payer }: PayerLog): string => `${transaction} ${payer}`;

function groupByKey<T extends PayerLog>(logs: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const log of logs) {
    const group = groups.get(keyOf(log));
    if (group) group.push(log);
    else groups.set(keyOf(log), [log]);
  }
  for (const group of groups.values()) group.sort((a, b) => a.logIndex - b.logIndex);
  return groups;
}

/** Which of the transfers of one payer in one transaction the authorizations paid for. */
function pairGroup<T extends PayerLog>(transfers: readonly T[], authorizations: readonly PayerLog[]): T[] {
  const following = new Set(authorizations.map(({ logIndex }) => logIndex + 1));
  const paired = transfers.filter(({ logIndex }) => following.has(logIndex));
  const others = transfers.filter(({ logIndex }) => !following.has(logIndex));
  return [...paired, ...others.slice(0, authorizations.length - paired.length)];
}

/**
 * The transfers that settle an EIP-3009 authorization: the payer of the transfer is the authorizer, in the same
 * transaction, and every authorization pays for one transfer, because facilitators batch. USDC writes the two logs one
 * right after the other, so such neighbours belong together first; what is left over is paired in its order, for tokens
 * that write them otherwise. Source: EIP-3009; FiatTokenV2 of Circle's stablecoin-evm.
 *
 * @returns those of the transfers given that are settlements, in no particular order
 */
export function pairLogs<T extends PayerLog>(
  transfers: readonly T[],
  authorizations: readonly PayerLog[],
): Set<T> {
  const used = groupByKey(authorizations);
  const settled = new Set<T>();
  for (const [key, group] of groupByKey(transfers)) {
    for (const transfer of pairGroup(group, used.get(key) ?? [])) settled.add(transfer);
  }
  return settled;
}
