import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '../../trpc/app-router.ts';

/**
 * Creates the client of one watch. The secret is sent in the `Authorization` header. Every call is a POST, so that no
 * URL contains the id of the watch.
 *
 * @param secret Secret of the watch in its printable format. Other texts are not valid header values.
 */
export function createWatchClient(secret: string) {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: '/api/trpc',
        methodOverride: 'POST',
        headers: { authorization: `Bearer ${secret}` },
      }),
    ],
  }).watch;
}

export type WatchClient = ReturnType<typeof createWatchClient>;

/** Delivery attempt, as the procedure returns it. */
export type Attempt = Awaited<ReturnType<WatchClient['attempts']['query']>>['attempts'][number];

/** Body of an edit, as the procedure accepts it. */
export type EditBody = Parameters<WatchClient['edit']['mutate']>[0]['edit'];
