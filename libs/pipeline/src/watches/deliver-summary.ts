/** Result of a run, which is logged for the operator. It contains only counts. */
export interface DeliverSummary {
  /** Number of claimed destinations. A destination counts once for each message. */
  readonly claimed: number;
  readonly delivered: number;
  readonly retried: number;
  /** Number of messages that are given up after the last attempt. */
  readonly exhausted: number;
  /** Number of destinations that were disabled. */
  readonly disabled: number;
  /** Number of messages that could not be sent, because their destination or log entry is unreadable. */
  readonly unreadable: number;
}

export const EMPTY_DELIVER_SUMMARY: DeliverSummary = {
  claimed: 0,
  delivered: 0,
  retried: 0,
  exhausted: 0,
  disabled: 0,
  unreadable: 0,
};

/** Adds the counts of two runs. */
export function addDeliverSummaries(one: DeliverSummary, other: DeliverSummary): DeliverSummary {
  return {
    claimed: one.claimed + other.claimed,
    delivered: one.delivered + other.delivered,
    retried: one.retried + other.retried,
    exhausted: one.exhausted + other.exhausted,
    disabled: one.disabled + other.disabled,
    unreadable: one.unreadable + other.unreadable,
  };
}
