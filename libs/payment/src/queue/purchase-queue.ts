/** Turn of one purchase in the queue. */
export interface Turn {
  /**
   * Runs slow work of the purchase, such as a probe of a new endpoint, without holding the turn. The promise settles
   * when the work has ended and it is the turn of the purchase again.
   */
  readonly release: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface PurchaseQueue {
  /**
   * Runs a purchase when it is its turn.
   * @returns null if too many purchases of this client, or of all clients, are in the queue. The purchase does not run then.
   */
  readonly run: <T>(client: string, purchase: (turn: Turn) => Promise<T>) => Promise<T> | null;
}

export interface PurchaseQueueOptions {
  /** Maximum number of purchases that hold a turn at the same time. */
  readonly maxTurns: number;
  /** Maximum number of turns that one client holds. Below `maxTurns`, other clients always find a free turn. */
  readonly maxTurnsPerClient: number;
  /** Maximum number of purchases in the queue: waiting, with a turn, or with a released turn. */
  readonly maxPurchases: number;
  /** Maximum number of purchases of one client in the queue. */
  readonly maxPurchasesPerClient: number;
}

/** Purchases of one client in the queue. */
interface Client {
  /** Functions that start the waiting purchases, in their order. */
  readonly waiting: (() => void)[];
  turns: number;
  purchases: number;
}

/** Turn of a purchase that does not run in a queue. */
export const UNLIMITED_TURN: Turn = { release: (work) => work() };

/** Gives turns to the waiting purchases. A client with many of them gets no more turns than a client with one. */
const createScheduler = ({ maxTurns, maxTurnsPerClient }: PurchaseQueueOptions) => {
  /** Clients with purchases in the queue, in the order in which they get turns. */
  const clients = new Map<string, Client>();
  let turns = 0;

  const startNext = (): void => {
    for (const [name, client] of clients) {
      if (turns >= maxTurns) return;
      if (client.turns >= maxTurnsPerClient) continue;
      const start = client.waiting.shift();
      if (start === undefined) continue;
      turns += 1;
      client.turns += 1;
      // The client moves to the end, so the loop reaches it again after all others.
      clients.delete(name);
      clients.set(name, client);
      start();
    }
  };

  return {
    clients,
    /**
     * Waits for a turn.
     * @param position `unshift` for the next turn of the client, `push` for its last one
     */
    waitForTurn: (client: Client, position: 'push' | 'unshift'): Promise<void> =>
      new Promise((resolve) => {
        client.waiting[position](resolve);
        startNext();
      }),
    endTurn: (client: Client): void => {
      turns -= 1;
      client.turns -= 1;
      startNext();
    },
  };
};

type Scheduler = ReturnType<typeof createScheduler>;

/** State of the turn of one purchase. */
interface TurnState {
  isHeld: boolean;
  /** True when the purchase has ended. */
  isEnded: boolean;
}

/** Runs a purchase when its client gets a turn. */
const runInTurn = async <T>(
  { waitForTurn, endTurn }: Scheduler,
  client: Client,
  purchase: (turn: Turn) => Promise<T>,
): Promise<T> => {
  const state: TurnState = { isHeld: false, isEnded: false };
  const beginTurn = async (position: 'push' | 'unshift'): Promise<void> => {
    await waitForTurn(client, position);
    // The purchase may have ended in the meantime, because its released work continued.
    if (state.isEnded) endTurn(client);
    else state.isHeld = true;
  };
  const giveUpTurn = (): void => {
    if (!state.isHeld) return;
    state.isHeld = false;
    endTurn(client);
  };
  const release: Turn['release'] = async (work) => {
    if (!state.isHeld) return work();
    giveUpTurn();
    try {
      return await work();
    } finally {
      if (!state.isEnded) await beginTurn('unshift');
    }
  };
  await beginTurn('push');
  try {
    return await purchase({ release });
  } finally {
    state.isEnded = true;
    giveUpTurn();
  }
};

/**
 * Creates a queue that limits the number of concurrent purchases. Clients take turns. A purchase that waits for a turn
 * again after released work precedes the other purchases of its client.
 */
export const createPurchaseQueue = (options: PurchaseQueueOptions): PurchaseQueue => {
  const scheduler = createScheduler(options);
  const { clients } = scheduler;
  let purchases = 0;

  const runCounted = async <T>(name: string, purchase: (turn: Turn) => Promise<T>): Promise<T> => {
    const client = clients.get(name) ?? { waiting: [], turns: 0, purchases: 0 };
    clients.set(name, client);
    client.purchases += 1;
    purchases += 1;
    try {
      return await runInTurn(scheduler, client, purchase);
    } finally {
      client.purchases -= 1;
      purchases -= 1;
      if (client.purchases === 0) clients.delete(name);
    }
  };

  return {
    run: (name, purchase) => {
      const isFull =
        purchases >= options.maxPurchases ||
        (clients.get(name)?.purchases ?? 0) >= options.maxPurchasesPerClient;
      return isFull ? null : runCounted(name, purchase);
    },
  };
};
