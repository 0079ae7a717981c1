import { problemOf, wellKnownX402 } from '@touchstone/contract';
import { canonicalUsdc } from '@touchstone/x402';
import { documentAnswer, problemAnswer } from '../../../api/answers.ts';
import { route } from '../../../api/route.ts';
import { config, siteOrigin } from '../../../config.ts';

export const dynamic = 'force-dynamic';

const FIVE_MINUTES_SECONDS = 5 * 60;

/** What is sold here, for crawlers that look for paid resources at this path. */
function answer(request: Request): Response {
  const { payment } = config();
  const asset = payment === null ? null : canonicalUsdc(payment.network)?.asset;
  if (payment === null || asset === undefined || asset === null) {
    return problemAnswer(problemOf('unknown-resource', 'Nothing is sold here at present.'));
  }
  const { network, payTo } = payment;
  const manifest = wellKnownX402(siteOrigin(process.env), { network, payTo, asset });
  return documentAnswer(request, {
    text: JSON.stringify(manifest),
    type: 'application/json',
    maxAgeSeconds: FIVE_MINUTES_SECONDS,
  });
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: answer });
