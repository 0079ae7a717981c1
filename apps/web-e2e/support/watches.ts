import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { pay } from './payment/buyer.ts';
import { readServiceAddresses } from './service-files.ts';

/** Endpoint that the tests watch. No other test depends on its probes. */
export const WATCHED_ENDPOINT = 'https://skyfall.sandbox.test/v2/current';
/** Path of the operation that creates a watch. */
export const CREATE_PATH = '/v1/watch-endpoint-30d';

export const createdSchema = z.object({
  watch_id: z.string(),
  secret: z.string(),
  webhook_secret: z.string(),
  expires_at: z.iso.datetime(),
  delivery: z.object({
    connection_test: z.array(z.object({ url: z.string(), ok: z.boolean() })),
  }),
});
/** Response to the purchase of a watch. */
export type BoughtWatch = z.infer<typeof createdSchema>;

/** Buys a watch from the shared service with the demo wallet. */
export async function buyWatch(body: Readonly<Record<string, unknown>> = {}): Promise<BoughtWatch> {
  const response = await pay(CREATE_PATH, { endpoint: WATCHED_ENDPOINT, ...body });
  const received: unknown = await response.json();
  if (!response.ok) throw new Error(`The watch was not created: ${JSON.stringify(received)}`);
  return createdSchema.parse(received);
}

/** Creates URLs at the receiver of the sandbox. Each call returns a new path. */
export function createReceiverUrls() {
  const path = `/test/${randomUUID()}`;
  return {
    path,
    webhook: `https://receiver.sandbox.test${path}`,
    slack: `https://slack.sandbox.test${path}`,
    discord: `https://discord.sandbox.test${path}`,
  };
}

/** Parts of a request to a watch. The default method is GET. */
interface WatchRequest {
  readonly id: string;
  readonly secret: string;
  /** Path and query after `/v1/watch/{id}`. */
  readonly path?: string;
  readonly method?: 'GET' | 'PATCH' | 'DELETE';
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Sends a request to a watch of the shared service, with the secret of the watch. */
export function callWatch({ id, secret, path = '', method = 'GET', body }: WatchRequest): Promise<Response> {
  return fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}/v1/watch/${id}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const deliveriesSchema = z.object({
  deliveries: z.array(
    z.object({
      channel: z.enum(['webhook', 'slack', 'discord']),
      path: z.string(),
      status: z.int(),
      type: z.string().nullable(),
      text: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
});
export type ReceivedMessage = z.infer<typeof deliveriesSchema>['deliveries'][number];

/** Lists the messages that the receiver of the sandbox received on a path, oldest first. */
export async function listReceived(path: string): Promise<readonly ReceivedMessage[]> {
  const response = await fetch(new URL('/deliveries', readServiceAddresses().receiver));
  const { deliveries } = deliveriesSchema.parse(await response.json());
  return deliveries.filter((delivery) => delivery.path === path).toReversed();
}
