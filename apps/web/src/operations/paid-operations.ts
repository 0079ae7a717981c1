import { canonicalize } from '@touchstone/catalog';
import {
  historyInputSchema,
  findOperation,
  createProblem,
  trustInputSchema,
  type HistoryInput,
  type Operation,
  type TrustReport,
  type TrustInput,
} from '@touchstone/contract';
import type { PaidOperation } from '@touchstone/payment';
import { readHistory, createTrustReport } from '@touchstone/pipeline';
import { signReport } from '@touchstone/trust';
import { getReportContext } from './report-context.ts';
import { getSecretDatabase } from '../database/secret-database.ts';
import { getSigningKeys } from '../config/signing-keys.ts';

/** Paid operation that returns a signed trust report on one endpoint. */
export const trustOperation: PaidOperation<TrustInput> = {
  operation: requireOperation('/v1/x402-trust'),
  input: trustInputSchema,
  toResource,
  work: async ({ resource, detail }) => {
    const request = { resource, detail: detail ?? ('short' as const) };
    const outcome = await createTrustReport(await getReportContext(), request);
    if (outcome.kind === 'report') return { body: await signIfConfigured(outcome.report) };
    const errors = outcome.errors === undefined ? {} : { errors: [...outcome.errors] };
    return { problem: createProblem(outcome.code, outcome.detail, errors) };
  },
};

/** Paid operation that returns the events and probes of one endpoint in the last 1 to 90 days. */
export const historyOperation: PaidOperation<HistoryInput> = {
  operation: requireOperation('/v1/x402-history'),
  input: historyInputSchema,
  toResource,
  work: async ({ resource, days, resolution }) => {
    const request = { resource, days, resolution: resolution ?? ('all' as const), now: Date.now() };
    const history = await readHistory(getSecretDatabase(), request);
    if (history !== null) return { body: history };
    const detail =
      'This endpoint is not in the catalog. Buy a trust report to add it: its history begins with that report.';
    return { problem: createProblem('unknown-resource', detail) };
  },
};

/**
 * Returns the canonical URL of the requested endpoint. The payment is stored with this URL. If the purchase of a report
 * adds the endpoint to the catalog, the catalog finds the payment by this URL.
 */
function toResource({ resource }: { readonly resource: string }): string {
  const canonical = canonicalize(resource);
  return canonical.ok ? canonical.resource : resource;
}

function requireOperation(path: string): Operation {
  const operation = findOperation('POST', path);
  if (operation === null) throw new Error(`The contract has no operation POST ${path}`);
  return operation;
}

async function signIfConfigured(report: TrustReport): Promise<TrustReport> {
  const keys = await getSigningKeys();
  return keys === null ? report : signReport(report, keys.signing);
}
