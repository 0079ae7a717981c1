import {
  historyRequestSchema,
  findOperation,
  createProblem,
  trustRequestSchema,
  type HistoryRequest,
  type Operation,
  type TrustReport,
  type TrustRequest,
} from '@touchstone/contract';
import type { PaidOperation, WorkResult } from '@touchstone/payment';
import { readHistory, createTrustReport, type ReportMade } from '@touchstone/pipeline';
import { signReport } from '@touchstone/trust';
import { reportContext } from './operations/report-context.ts';
import { secretDb } from './database/secret-database.ts';
import { signingKeys } from './config/signing-keys.ts';

/** Signed trust report on one endpoint. */
export const trustOperation: PaidOperation<TrustRequest> = {
  operation: requireOperation('/v1/x402-trust'),
  input: trustRequestSchema,
  toResource: ({ resource }) => resource,
  work: async ({ resource }) => {
    const outcome = await createTrustReport(await reportContext(), { resource });
    if (outcome.kind === 'report') return signResult(outcome);
    const errors = outcome.errors === undefined ? {} : { errors: [...outcome.errors] };
    return { problem: createProblem(outcome.code, outcome.detail, errors) };
  },
};

/** Events and probes of one endpoint in the last 1 to 90 days. */
export const historyOperation: PaidOperation<HistoryRequest> = {
  operation: requireOperation('/v1/x402-history'),
  input: historyRequestSchema,
  toResource: ({ resource }) => resource,
  work: async ({ resource, days }) => {
    const history = await readHistory(secretDb(), { resource, days, now: Date.now() });
    if (history !== null) return { body: history };
    const detail =
      'This endpoint is not in the catalog. Buy a trust report to add it: its history begins with that report.';
    return { problem: createProblem('unknown-resource', detail) };
  },
};

function requireOperation(path: string): Operation {
  const operation = findOperation('POST', path);
  if (operation === null) throw new Error(`The contract has no operation POST ${path}`);
  return operation;
}

/** Signs a report. Its adoption is undone when it is not paid, or cannot be signed. */
async function signResult({ report, undo }: ReportMade): Promise<WorkResult> {
  try {
    const body = await signIfConfigured(report);
    return undo === null ? { body } : { body, undo };
  } catch (error) {
    await undo?.();
    throw error;
  }
}

async function signIfConfigured(report: TrustReport): Promise<TrustReport> {
  const keys = await signingKeys();
  return keys === null ? report : signReport(report, keys.signing);
}
