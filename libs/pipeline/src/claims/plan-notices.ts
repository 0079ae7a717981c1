import { MAX_NOTICE_ENDPOINTS } from '@touchstone/contract/shared/claim-limits';
import { listHostEndpoints, type NewNotices, type StoredClaim } from '@touchstone/store';
import { createWatchSecret } from '@touchstone/watch';
import { createInvalid } from '../problem.ts';
import { connectDestinations, toChats, toWebhooks } from '../watches/connect-destinations.ts';
import { WITHOUT_CIPHER, type WatchContext, type WatchProblem } from '../watches/watch-context.ts';

/** Destination of the notices of a claim, and the endpoints that the request names; null for all endpoints. */
export interface NoticesRequest {
  readonly kind: 'webhook' | 'chat';
  readonly url: string;
  readonly endpointIds: readonly string[] | null;
}

/** Notices whose URL passed its test. */
export interface PlannedNotices {
  readonly kind: 'planned';
  readonly notices: NewNotices;
  /** Key that verifies the messages; null for a chat. */
  readonly webhookSecret: string | null;
}

/**
 * Tests the URL of notices, and creates one watch for each endpoint. All watches sign with one key, so the provider
 * verifies the messages of all endpoints with one secret.
 *
 * @param client Client that sent the request, such as an IP address.
 */
export async function planNotices(
  context: WatchContext,
  claim: StoredClaim,
  { kind, url, endpointIds, client }: NoticesRequest & { readonly client: string },
): Promise<PlannedNotices | WatchProblem> {
  const { cipher, db } = context;
  if (cipher === null) return WITHOUT_CIPHER;
  const ids = endpointIds ?? (await listHostEndpoints(db, claim.host, MAX_NOTICE_ENDPOINTS + 1));
  if (ids.length > MAX_NOTICE_ENDPOINTS || ids.length === 0)
    return createInvalid(
      'notices.resources',
      ids.length === 0
        ? `No endpoint of ${claim.host} is probed, so there is nothing to report.`
        : `\`notices.resources\` must name at most ${MAX_NOTICE_ENDPOINTS} endpoints, because ${claim.host} has more.`,
    );
  const [first, ...others] = ids.map((endpointId) => ({ endpointId, ...createWatchSecret() }));
  if (first === undefined) throw new TypeError('Notices need at least one endpoint.');
  const { signingKey, webhookSecret } = first;
  const path = kind === 'chat' ? 'notices.slack_url' : 'notices.webhook_url';
  const connected = await connectDestinations(
    { ...context, cipher },
    {
      ...{ watchId: first.id, resource: `https://${claim.host}/`, signingKey },
      requester: { kind: 'claim', id: claim.id, client },
    },
    kind === 'chat' ? toChats([{ url, path }]) : toWebhooks([{ url, path }]),
  );
  if (connected.kind === 'problem') return connected;
  const [destination] = connected.destinations;
  if (destination === undefined) throw new TypeError('The test of a URL returned no destination.');
  return {
    kind: 'planned',
    notices: {
      watches: [first, ...others].map(({ id, endpointId, secretHash }) => ({ id, endpointId, secretHash })),
      signingKey: await cipher.encrypt(signingKey),
      events: ['payto_change', 'liveness_down', 'liveness_recovered'],
      destination,
    },
    webhookSecret: kind === 'chat' ? null : webhookSecret,
  };
}
