/** What pairing reads of a transfer or an authorization. */
export interface PayerLog {
  readonly transaction: string;
  /** Place within the block. */
  readonly logIndex: number;
  /** From of the transfer, authorizer of the authorization. */
  readonly payer: string;
}

export interface Pairing<T> {
  /** Transfers right behind an authorization of their payer. */
  readonly settled: ReadonlySet<T>;
  /**
   * The others whose payer authorized something in the same transaction that no transfer at hand follows: it may have
   * been this one, by a token that writes other logs between the two, or one to somebody else.
   */
  readonly undecided: readonly T[];
}

const keyOf = ({ transaction, payer }: PayerLog): string => `${transaction} ${payer}`;
const placeOf = (log: PayerLog, logIndex = log.logIndex): string => `${keyOf(log)} ${logIndex}`;

/**
 * The transfers that settle an EIP-3009 authorization. USDC writes both logs one right after the other, so the payer of
 * the log behind an authorization is its authorizer: who authorizes one transfer and makes another one by hand in the
 * same transaction has settled the first only. Source: FiatTokenV2 of Circle's stablecoin-evm,
 * `_transferWithAuthorization`.
 */
export function pairLogs<T extends PayerLog>(
  transfers: readonly T[],
  authorizations: readonly PayerLog[],
): Pairing<T> {
  const following = new Set(authorizations.map((log) => placeOf(log, log.logIndex + 1)));
  const settled = new Set(transfers.filter((log) => following.has(placeOf(log))));
  for (const log of settled) following.delete(placeOf(log));
  const open = new Set(
    authorizations.filter((log) => following.has(placeOf(log, log.logIndex + 1))).map(keyOf),
  );
  return { settled, undecided: transfers.filter((log) => !settled.has(log) && open.has(keyOf(log))) };
}
