import { TRPCClientError, createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from './app-router.ts';

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

/** Delivery attempt, in the format of the procedure `attempts`. */
export type Attempt = Awaited<ReturnType<WatchClient['attempts']['query']>>['attempts'][number];

/** Body of an edit, in the format of the procedure `edit`. */
export type EditBody = Parameters<WatchClient['edit']['mutate']>[0]['edit'];

/** Reason why a call failed, for the owner of the watch. */
interface CallError {
  readonly text: string;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Parts of the request that the owner has to change. */
  readonly mistakes: readonly { readonly path: string; readonly message: string }[];
}

/** Converts the error of a call to a text that the page can show. */
export function toCallError(error: unknown): CallError {
  if (!(error instanceof TRPCClientError)) return { text: String(error), status: null, mistakes: [] };
  // All clients of this page call procedures of `AppRouter`, so the cast is safe.
  const { data, message } = error as TRPCClientError<AppRouter>;
  if (data === undefined || data === null) {
    return {
      text: 'The service could not be reached. Check your connection.',
      status: null,
      mistakes: [],
    };
  }
  // The API text names members of the request. The page does not show these members, so it has another text.
  const text =
    data.problem?.code === 'delivery-unreachable'
      ? 'A URL failed its connection test. Nothing was changed. Correct the URL and save again.'
      : message;
  return { text, status: data.httpStatus, mistakes: data.problem?.errors ?? [] };
}

/** Returns true if the same call may succeed later: there was no response, or the status is 500 or higher. */
export function isTemporary(error: unknown): boolean {
  const { status } = toCallError(error);
  return status === null || status >= 500;
}

/**
 * Creates the client of the explore page and of the search field. Calls are GET requests, so caches can store the
 * responses.
 */
export function createExploreClient() {
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: '/api/trpc' })] }).explore;
}
