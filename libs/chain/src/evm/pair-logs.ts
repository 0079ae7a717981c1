/** Fields of a transfer or an authorization that pairing needs. */
export interface PayerLog {
  readonly transaction: string;
  /** Index of the log within its block. */
  readonly logIndex: number;
  /** Sender of the transfer, or authorizer of the authorization. */
  readonly payer: string;
}

export interface Pairing<T> {
  /** Transfers right after an authorization of their payer. */
  readonly settled: ReadonlySet<T>;
  /**
   * Other transfers whose payer has an unpaired authorization in the same transaction. It may belong to the transfer, if
   * the token writes other logs between the two, or to a transfer to another wallet.
   */
  readonly undecided: readonly T[];
}

const toPayerKey = ({ transaction, payer }: PayerLog): string => `${transaction} ${payer}`;
const toPositionKey = (log: PayerLog, logIndex = log.logIndex): string => `${toPayerKey(log)} ${logIndex}`;

/**
 * Finds the transfers that settle an EIP-3009 authorization. USDC writes the transfer right after the authorization, so
 * only the log that follows an authorization is paired with it. A payer who authorizes one transfer and makes another one
 * directly, in the same transaction, has settled only the first. Source: FiatTokenV2 of Circle's stablecoin-evm,
 * `_transferWithAuthorization`.
 */
export function pairLogs<T extends PayerLog>(
  transfers: readonly T[],
  authorizations: readonly PayerLog[],
): Pairing<T> {
  const expected = new Set(authorizations.map((log) => toPositionKey(log, log.logIndex + 1)));
  const settled = new Set(transfers.filter((log) => expected.has(toPositionKey(log))));
  for (const log of settled) expected.delete(toPositionKey(log));
  const unpaired = new Set(
    authorizations.filter((log) => expected.has(toPositionKey(log, log.logIndex + 1))).map(toPayerKey),
  );
  const undecided = transfers.filter((log) => !settled.has(log) && unpaired.has(toPayerKey(log)));
  return { settled, undecided };
}
