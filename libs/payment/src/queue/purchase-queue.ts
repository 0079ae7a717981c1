/** Runs one step of a purchase when its client gets a turn. */
export type RunInTurn = <T>(step: () => Promise<T>) => Promise<T>;

export interface PurchaseQueue {
  /**
   * Runs a purchase whose steps wait for turns. Between its steps, the purchase holds no turn. The purchase must wait for
   * each of its steps.
   * @returns null if too many purchases of this client, or of all clients, are in the queue. The purchase does not run then.
   */
  readonly runPurchase: <T>(client: string, purchase: (inTurn: RunInTurn) => Promise<T>) => Promise<T> | null;
  /** Runs a task as a purchase with one step. */
  readonly run: <T>(client: string, task: () => Promise<T>) => Promise<T> | null;
}

export interface PurchaseQueueOptions {
  /** Maximum number of steps that run at the same time. */
  readonly maxTurns: number;
  /** Maximum number of turns that one client holds. Below `maxTurns`, other clients always find a free turn. */
  readonly maxTurnsPerClient: number;
  /** Maximum number of purchases in the queue: waiting, with a turn, or between two turns. */
  readonly maxPurchases: number;
  /** Maximum number of purchases of one client in the queue. */
  readonly maxPurchasesPerClient: number;
}

/** Purchases of one client in the queue. */
interface Client {
  /** Functions that start the waiting steps, in their order: later steps of purchases, and first steps. */
  readonly continued: (() => void)[];
  readonly waiting: (() => void)[];
  turns: number;
  purchases: number;
}

/**
 * Creates a queue that limits the number of concurrent purchases. Clients take turns: a client with many purchases gets
 * no more turns than a client with one. The later steps of a purchase precede the waiting purchases of its client.
 */
export function createPurchaseQueue(options: PurchaseQueueOptions): PurchaseQueue {
  const { maxTurns, maxTurnsPerClient, maxPurchases, maxPurchasesPerClient } = options;
  /** Clients with purchases in the queue, in the order in which they get turns. */
  const clients = new Map<string, Client>();
  let turns = 0;
  let purchases = 0;

  function startNext(): void {
    for (const [name, client] of clients) {
      if (turns >= maxTurns) return;
      if (client.turns >= maxTurnsPerClient) continue;
      const start = client.continued.shift() ?? client.waiting.shift();
      if (start === undefined) continue;
      turns += 1;
      client.turns += 1;
      // The client moves to the end, so the loop reaches it again after all others.
      clients.delete(name);
      clients.set(name, client);
      start();
    }
  }

  function createTurns(client: Client): RunInTurn {
    let isStarted = false;
    return async (step) => {
      const steps = isStarted ? client.continued : client.waiting;
      isStarted = true;
      await new Promise<void>((start) => {
        steps.push(start);
        startNext();
      });
      try {
        return await step();
      } finally {
        turns -= 1;
        client.turns -= 1;
        startNext();
      }
    };
  }

  async function runCounted<T>(name: string, purchase: (inTurn: RunInTurn) => Promise<T>): Promise<T> {
    const client = clients.get(name) ?? { continued: [], waiting: [], turns: 0, purchases: 0 };
    clients.set(name, client);
    client.purchases += 1;
    purchases += 1;
    try {
      return await purchase(createTurns(client));
    } finally {
      client.purchases -= 1;
      purchases -= 1;
      if (client.purchases === 0) clients.delete(name);
    }
  }

  const runPurchase: PurchaseQueue['runPurchase'] = (name, purchase) => {
    const isFull = purchases >= maxPurchases || (clients.get(name)?.purchases ?? 0) >= maxPurchasesPerClient;
    return isFull ? null : runCounted(name, purchase);
  };
  return { runPurchase, run: (name, task) => runPurchase(name, (inTurn) => inTurn(task)) };
}
