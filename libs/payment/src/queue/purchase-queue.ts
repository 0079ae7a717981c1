/**
 * Function that runs one step of a purchase as soon as the client of the purchase gets a slot. A slot allows one step
 * to run.
 */
export type RunInSlot = <T>(step: () => Promise<T>) => Promise<T>;

export interface PurchaseQueue {
  /**
   * Runs a purchase whose steps wait for slots. Between its steps, the purchase holds no slot. The purchase must wait
   * for each of its steps.
   * @returns null if the queue already has too many purchases of this client, or of all clients. The purchase does not
   * run then.
   */
  readonly runPurchase: <T>(client: string, purchase: (inSlot: RunInSlot) => Promise<T>) => Promise<T> | null;
  readonly run: <T>(client: string, task: () => Promise<T>) => Promise<T> | null;
}

export interface PurchaseQueueOptions {
  /** Number of slots: the maximum number of steps that run at the same time. */
  readonly maxSlots: number;
  /** Maximum number of slots that one client holds. Below `maxSlots`, other clients always find a free slot. */
  readonly maxSlotsPerClient: number;
  /**
   * Maximum number of purchases in the queue. Purchases that wait, that have a slot, or that are between two steps
   * count.
   */
  readonly maxPurchases: number;
  readonly maxPurchasesPerClient: number;
}

interface Client {
  /**
   * Functions that start the waiting steps, in order of arrival. `continued` has later steps of started purchases, and
   * `waiting` has first steps of new purchases.
   */
  readonly continued: (() => void)[];
  readonly waiting: (() => void)[];
  slots: number;
  purchases: number;
}

/**
 * Creates a queue that limits the number of concurrent purchases. Waiting clients get slots in rotation: in each round,
 * a client gets one slot, however many purchases the client has. Later steps of started purchases run before first
 * steps of new purchases of the same client.
 */
export function createPurchaseQueue(options: PurchaseQueueOptions): PurchaseQueue {
  const { maxSlots, maxSlotsPerClient, maxPurchases, maxPurchasesPerClient } = options;
  /** Clients with purchases in the queue, in the order in which they get slots. */
  const clients = new Map<string, Client>();
  let slots = 0;
  let purchases = 0;

  function startNext(): void {
    for (const [name, client] of clients) {
      if (slots >= maxSlots) return;
      if (client.slots >= maxSlotsPerClient) continue;
      const start = client.continued.shift() ?? client.waiting.shift();
      if (start === undefined) continue;
      slots += 1;
      client.slots += 1;
      // The client moves to the end, so the loop reaches this client again after all other clients.
      clients.delete(name);
      clients.set(name, client);
      start();
    }
  }

  function createSlotRunner(client: Client): RunInSlot {
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
        slots -= 1;
        client.slots -= 1;
        startNext();
      }
    };
  }

  async function runCounted<T>(name: string, purchase: (inSlot: RunInSlot) => Promise<T>): Promise<T> {
    const client = clients.get(name) ?? { continued: [], waiting: [], slots: 0, purchases: 0 };
    clients.set(name, client);
    client.purchases += 1;
    purchases += 1;
    try {
      return await purchase(createSlotRunner(client));
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
  return { runPurchase, run: (name, task) => runPurchase(name, (inSlot) => inSlot(task)) };
}
