import { createProblem, createX402Manifest } from '@touchstone/contract';
import { findCanonicalUsdc } from '@touchstone/x402';
import {
  DOCUMENT_MAX_AGE_SECONDS,
  createFixedDocumentResponse,
  createProblemResponse,
} from '../../../api/responses.ts';
import { route } from '../../../api/route.ts';
import { getConfig, getSiteOrigin } from '../../../platform/config/config.ts';

export const dynamic = 'force-dynamic';

/** Responds with the manifest of paid operations. Crawlers request this manifest. */
function respond(request: Request): Response {
  const { payment } = getConfig();
  const asset = payment === null ? null : findCanonicalUsdc(payment.network)?.asset;
  if (payment === null || asset === undefined || asset === null) {
    return createProblemResponse(
      createProblem('unknown-resource', 'Paid operations are disabled on this service.'),
    );
  }
  const { network, payTo } = payment;
  const manifest = createX402Manifest(getSiteOrigin(process.env), { network, payTo, asset });
  return createFixedDocumentResponse(request, {
    text: JSON.stringify(manifest),
    type: 'application/json',
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
