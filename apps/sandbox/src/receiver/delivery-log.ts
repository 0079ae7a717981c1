/** Kind of service that a host of the receiver imitates. */
export type Channel = 'webhook' | 'slack' | 'discord';

/** Message that the receiver received, with its response. */
export interface Delivery {
  /** Number of the delivery since the start of the sandbox, from 1. */
  readonly id: number;
  /** Time of the request, ISO 8601. It is the real time, also while the simulated clock is stopped. */
  readonly at: string;
  readonly channel: Channel;
  readonly host: string;
  /** Path with its query. */
  readonly path: string;
  /** Status of the receiver's response. */
  readonly status: number;
  /** Member `type` of a webhook's body, or null. */
  readonly type: string | null;
  /** The type in plain words, or null. */
  readonly event: string | null;
  /** Text that a reader of the chat sees, or the summary in a webhook's body; null without a text. */
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Body, decoded as UTF-8. */
  readonly body: string;
}

/** The last deliveries, kept in memory. */
export interface DeliveryLog {
  readonly add: (delivery: Omit<Delivery, 'id'>) => void;
  /** Lists the deliveries, newest first. */
  readonly list: () => readonly Delivery[];
}

/** Maximum number of deliveries that are kept. */
export const MAX_DELIVERIES = 500;

export function createDeliveryLog(): DeliveryLog {
  const deliveries: Delivery[] = [];
  let lastId = 0;
  return {
    add: (delivery) => {
      lastId += 1;
      deliveries.unshift({ id: lastId, ...delivery });
      deliveries.splice(MAX_DELIVERIES);
    },
    list: () => deliveries,
  };
}
