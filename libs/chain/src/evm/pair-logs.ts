/** Fields that are needed to pair a transfer log with the log of its authorization. */
export interface PayerLog {
  readonly transaction: string;
  /** Index of the log within its block. */
  readonly logIndex: number;
  /** Sender of the transfer, or authorizer of the authorization. */
  readonly payer: string;
}

export interface Pairing<T> {
  /** Transfers whose log follows directly after an authorization of the same payer. */
  readonly settled: ReadonlySet<T>;
  /**
   * Other transfers in a transaction in which the same payer has an authorization without a transfer directly after it.
   * The logs do not show if this authorization belongs to the transfer or to a transfer to another wallet.
   */
  readonly undecided: readonly T[];
}

const toPayerKey = ({ transaction, payer }: PayerLog): string => `${transaction} ${payer}`;
const toPositionKey = (log: PayerLog, logIndex = log.logIndex): string => `${toPayerKey(log)} ${logIndex}`;

/**
 * Finds the transfers that settle an EIP-3009 authorization. USDC writes the transfer right after the authorization, so
 * an authorization is paired only with the log that directly follows it. A second transfer of the same payer in the
 * same transaction is therefore not a settlement. Source: FiatTokenV2 of Circle's stablecoin-evm,
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
