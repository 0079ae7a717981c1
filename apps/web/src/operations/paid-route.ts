import { createHash } from 'node:crypto';
import { canonicalize } from '@touchstone/catalog';
import { createProblem, type Problem } from '@touchstone/contract/shared/problem';
import {
  addUnreadState,
  createFacilitator,
  createPurchaseQueue,
  createSeller,
  isChainFailing,
  type PaidOperation,
  type Seller,
} from '@touchstone/payment';
import { createChainSources } from '@touchstone/pipeline/chain-source';
import { after } from 'next/server';
import { toQueueClient } from '../api/rate-limit/client-address.ts';
import { getClient, limitPaidRequests } from '../api/rate-limit/limiters.ts';
import { createProblemResponse } from '../api/responses.ts';
import { route } from '../api/route.ts';
import { getConfig, getSiteOrigin } from '../platform/config/config.ts';
import type { PaymentConfig } from '../platform/config/payment-config.ts';
import { isDatabaseWritable } from '../platform/database/database-health.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';
import { logError } from '../platform/request-log.ts';

const DISABLED =
  'Paid operations are disabled on this service: the operator has not set X402_PAY_TO, or RPC_URLS has no provider of its network.';

/**
 * Creates the handlers of a paid path. If payments are disabled, a POST request gets an error instead of a payment
 * challenge.
 */
export function createPaidRoute<Input>(paidOperation: PaidOperation<Input>) {
  const completeProblem = (problem: Problem, { headers }: Request): Problem =>
    addUnreadState(problem, headers);
  const post = async (request: Request): Promise<Response> => {
    const seller = openSeller();
    if (seller !== null) return seller.respond(request, paidOperation, { client: getClient(request) });
    return createProblemResponse(completeProblem(createProblem('payment-unavailable', DISABLED), request));
  };
  return route({ POST: post }, { limiter: limitPaidRequests, completeProblem });
}

/**
 * Limits of the purchases of this process. A purchase uses a slot while it calls the facilitator and the database, but
 * not while it waits for an endpoint. With more slots, requests to the facilitator and the database would time out. In
 * a longer queue, payments would expire.
 */
const PURCHASE_LIMITS = {
  maxSlots: 16,
  maxSlotsPerClient: 12,
  maxPurchases: 2_000,
  maxPurchasesPerClient: 200,
};

let configured: ConfiguredSeller | null | undefined;

interface ConfiguredSeller extends Seller {
  /** Returns true if the last query of the payment network failed less than a minute ago. */
  readonly isChainFailing: () => boolean;
}

/**
 * Returns the seller of paid operations; null if payments are disabled. The seller is created at the first request to a
 * paid route.
 */
function openSeller(): ConfiguredSeller | null {
  if (configured === undefined) {
    const { payment } = getConfig();
    configured = payment === null ? null : createConfiguredSeller(payment);
  }
  return configured;
}

const UNWRITABLE =
  'Nothing can be sold: the database accepts no writes, for example because its disk is full. Free operations still work.';
const CHAIN_FAILING =
  'Nothing can be sold: no RPC provider of the payment network gave a usable response within the last minute. Free operations still work.';

/**
 * Resolves to null while purchases are possible, otherwise to the reason. The chain is not queried: only failed queries
 * of purchases count.
 */
export async function getSalesProblem(): Promise<string | null> {
  const seller = openSeller();
  if (seller === null) return DISABLED;
  if (!(await isDatabaseWritable())) return UNWRITABLE;
  return seller.isChainFailing() ? CHAIN_FAILING : null;
}

function createConfiguredSeller({
  network,
  payTo,
  facilitatorUrl,
  cdp,
  rpcUrls,
}: PaymentConfig): ConfiguredSeller {
  const [source] = createChainSources(new Map([...rpcUrls].filter(([other]) => other === network)));
  if (source === undefined) throw new Error(`RPC_URLS has no provider of ${network}`);
  const chain = source.providers;
  const seller = createSeller({
    db: getSecretDatabase(),
    facilitator: createFacilitator({ url: facilitatorUrl, ...(cdp === null ? {} : { auth: cdp }) }),
    network,
    payTo,
    baseUrl: getSiteOrigin(process.env),
    now: Date.now,
    chain,
    queue: createPurchaseQueue(PURCHASE_LIMITS),
    toQueueClient,
    runAfterResponse: after,
    onError: (message, error) => logError({ paymentError: message }, error),
  });
  return { ...seller, isChainFailing: () => isChainFailing(chain) };
}

/**
 * Returns the canonical URL of the requested endpoint. The payment is stored with this URL. If the purchase of a report
 * adds the endpoint to the catalog, the catalog finds the payment by this URL.
 */
export function toPaymentResource({ resource }: { readonly resource: string }): string {
  const canonical = canonicalize(resource);
  return canonical.ok ? canonical.resource : resource;
}

/**
 * Returns the stored resource of a payment for a search or a list. A search text can be the URL of an endpoint. Without
 * the hash, the payment would count as a payment for that endpoint, and would keep that endpoint in the catalog. The
 * hash also keeps the text of the request private.
 */
export function hashResource(kind: 'query' | 'bulk', text: string): string {
  return `${kind}:${createHash('sha256').update(text).digest('hex')}`;
}
