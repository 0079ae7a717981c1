import { WATCH_RENEWAL_GRACE_DAYS } from '@touchstone/contract';
import type { WatchTarget } from '@touchstone/store';
import type { WatchLinks } from './to-watch.ts';

/** Facts that decide which steps follow the creation of a watch. */
export interface CreatedFacts {
  readonly target: Pick<WatchTarget, 'templated'>;
  readonly links: WatchLinks;
  readonly expiresAt: string;
  readonly hasWebhooks: boolean;
}

/** Returns the steps that follow the creation of a watch, each as one or two sentences. */
export function createNextSteps({ target, links, expiresAt, hasWebhooks }: CreatedFacts): string[] {
  return [
    'Store secret now. It is shown once and cannot be read again.',
    `Read the events: GET ${links.poll_url} with the header Authorization: Bearer <secret>. Then repeat it with ?since=<next_cursor>.`,
    ...(hasWebhooks
      ? [
          'Verify each webhook with webhook_secret and a Standard Webhooks library, or compare x-signature with the HMAC-SHA256 of the body. Ignore a webhook-id that you have processed.',
        ]
      : []),
    `Edit or cancel the watch: PATCH or DELETE ${links.edit_url} with the same header. Both are free.`,
    `Renew it until ${WATCH_RENEWAL_GRACE_DAYS} days after ${expiresAt}: POST ${links.renew_url} with a payment. The secret stays the same.`,
    ...listLimits(target),
  ];
}

function listLimits({ templated }: CreatedFacts['target']): string[] {
  if (!templated) return [];
  return [
    'This endpoint is a URL template, and its items may differ in price and payTo. The watch reports no payto_change and no price_change.',
  ];
}
