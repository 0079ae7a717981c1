import {
  deliveryLedgerOperation,
  purchaseOperation,
} from '@touchstone/contract/operations/purchase/operation';
import { purchaseIdSchema } from '@touchstone/contract/operations/purchase/schemas';
import { createProblem } from '@touchstone/contract/shared/problem';
import { toPurchaseRecord } from '@touchstone/pipeline/purchases/to-purchase-record';
import { freeLimiter } from '../../api/rate-limit/limiters.ts';
import { getRequestPath } from '../../api/read-request.ts';
import {
  createJsonResponse,
  createProblemResponse,
  EVENTS_MAX_AGE_SECONDS,
  SUMMARY_MAX_AGE_SECONDS,
} from '../../api/responses.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';
import { getSiteOrigin } from '../../platform/config/config.ts';
import { getPublicStore } from '../../platform/database/databases.ts';
import { loadDeliveryLedger } from '../../serving/page-cache/load-delivery-ledger.ts';
import { signIfConfigured } from '../sign-document.ts';

const UNKNOWN_PURCHASE =
  'No published test purchase has this id. A purchase without delivery is published a day after its outcome is known. /delivery.json lists the newest purchases.';

/** Responds with the signed record of a published test purchase. */
async function respondWithRecord({ url }: Request): Promise<Response> {
  const id = purchaseIdSchema.safeParse(getRequestPath(url).split('/').at(-1));
  const purchase = id.success ? await getPublicStore().findPurchase(id.data) : null;
  if (purchase === null) return createProblemResponse(createProblem('unknown-resource', UNKNOWN_PURCHASE));
  const record = toPurchaseRecord(purchase, { baseUrl: getSiteOrigin(process.env), now: Date.now() });
  return createJsonResponse(await signIfConfigured(record), SUMMARY_MAX_AGE_SECONDS);
}

/** Handlers of `/v1/purchases/{id}`. */
export const purchaseRoute = route(
  { GET: refuseUnknownParameters(purchaseOperation, respondWithRecord) },
  { limiter: freeLimiter },
);

/** Handlers of `/delivery.json`. */
export const deliveryLedgerRoute = route(
  {
    GET: refuseUnknownParameters(deliveryLedgerOperation, async () =>
      createJsonResponse(await loadDeliveryLedger(), EVENTS_MAX_AGE_SECONDS),
    ),
  },
  { limiter: freeLimiter },
);
