import { sendOrder, startHelper, stopProcess } from '../processes.ts';
import type { ReceiverOrder, ReceiverResult } from './receivers-process.ts';

/** Number of servers. With one server, the receivers would be slower than the clients. */
const SERVER_COUNT = 2;

export interface Receivers {
  /** Returns the URL of a destination. */
  readonly toUrl: (destination: number) => string;
  /** Begins a round whose messages are kept. */
  readonly begin: () => Promise<void>;
  /** Prepares the servers for the same messages again, with the same reactions. */
  readonly repeat: () => Promise<void>;
  /** Returns the results since the last `begin` or `repeat`, with the messages in the order of arrival. */
  readonly take: () => Promise<ReceiverResult>;
  readonly stop: () => Promise<void>;
}

/** Starts the HTTPS servers of all destinations as child processes. `folder` contains their certificate and key. */
export async function startReceivers(folder: string): Promise<Receivers> {
  const helpers = Array.from({ length: SERVER_COUNT }, () =>
    startHelper(new URL('./receivers-process.ts', import.meta.url), [folder]),
  );
  const send = <Reply>(kind: ReceiverOrder['kind']): Promise<Reply[]> =>
    Promise.all(helpers.map((helper) => sendOrder<Reply>(helper, { kind })));
  const ports = await send<number>('port');
  return {
    toUrl: (destination) => `https://localhost:${ports[destination % ports.length]}/d/${destination}`,
    begin: async () => {
      await send('begin');
    },
    repeat: async () => {
      await send('repeat');
    },
    take: async () => {
      const results = await send<ReceiverResult>('take');
      return {
        received: results
          .flatMap(({ received }) => received)
          .sort((one, other) => one.arrivedAt - other.arrivedAt),
        accepted: results.reduce((sum, { accepted }) => sum + accepted, 0),
        maxInFlight: Math.max(...results.map(({ maxInFlight }) => maxInFlight)),
      };
    },
    stop: async () => {
      await Promise.all(helpers.map(stopProcess));
    },
  };
}
