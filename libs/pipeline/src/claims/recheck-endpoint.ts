import { canonicalize } from '@touchstone/catalog';
import type { Rechecked } from '@touchstone/contract/operations/claim/recheck';
import { readHostEndpoints, type StoredClaim } from '@touchstone/store';
import { limitCalls } from '../limit-calls.ts';
import { createInvalid, createInvalidUrl, createOperationProblem } from '../problem.ts';
import type { OperationProblem, ReportProblem } from '../problem.ts';
import type { ReportContext } from '../reports/report-context.ts';
import { createTrustReport } from '../reports/trust-report.ts';
import { NOT_ACTIVE } from './edit-claim.ts';

/** Minimum time between two probes of an endpoint on request of its provider, in seconds. */
const RECHECK_INTERVAL_SECONDS = 600;

/**
 * Probes and scores an endpoint of a claimed host now, as a report does. The probe counts in no uptime figure.
 *
 * @param claim Claim whose owner sent the request.
 * @param resource URL of the endpoint in any spelling.
 */
export async function recheckEndpoint(
  context: ReportContext,
  claim: StoredClaim,
  resource: string,
): Promise<
  | { readonly kind: 'result'; readonly body: Rechecked }
  | OperationProblem<ReportProblem['code'] | 'claim-not-verified'>
> {
  const { db } = context;
  if (claim.status !== 'active') return NOT_ACTIVE;
  const canonical = canonicalize(resource);
  if (!canonical.ok) return createInvalidUrl(canonical.reason);
  if (canonical.host !== claim.host)
    return createInvalid('resource', `\`resource\` must be an endpoint of the claimed host ${claim.host}.`);
  if (!(await readHostEndpoints(db, claim.host, [canonical.id])).has(canonical.id))
    return createOperationProblem(
      'unknown-resource',
      'The URL is not in the catalog. POST /v1/check checks any URL.',
    );
  const limited = await limitCalls(context, {
    ...{ key: `recheck:${canonical.id}`, limit: 1, windowSeconds: RECHECK_INTERVAL_SECONDS },
    reason: 'An endpoint is probed on request at most once in 10 minutes.',
  });
  if (limited !== null) return limited;
  const outcome = await createTrustReport(context, { resource });
  if (outcome.kind === 'problem') return outcome;
  const { freshness, endpointPage, score, grade, recommendation } = outcome.report;
  return {
    kind: 'result',
    body: {
      resource: outcome.report.resource,
      endpoint_page: endpointPage,
      is_live: freshness.live,
      outcome: freshness.outcome,
      http_status: freshness.httpStatus,
      detail: freshness.detail,
      probed_at: freshness.probedAt,
      ...{ score, grade, recommendation },
    },
  };
}
