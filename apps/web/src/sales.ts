import {
  historyRequestSchema,
  operationAt,
  problemOf,
  trustRequestSchema,
  type HistoryRequest,
  type Operation,
  type Problem,
  type TrustReport,
  type TrustRequest,
} from '@touchstone/contract';
import type { Sale, WorkResult } from '@touchstone/payment';
import { readHistory, trustReport, type ReportMade } from '@touchstone/pipeline';
import { signReport } from '@touchstone/trust';
import { reportContext } from './report-context.ts';
import { secretDb } from './secret-data.ts';
import { signingKeys } from './signing-keys.ts';

/** Trust reports, signed. */
export const trustSale: Sale<TrustRequest> = {
  operation: operationOf('/v1/x402-trust'),
  input: trustRequestSchema,
  resourceOf: ({ resource }) => resource,
  work: async ({ resource }) => {
    const outcome = await trustReport(await reportContext(), { resource });
    if (outcome.kind === 'report') return sold(outcome);
    const errors = outcome.errors === undefined ? {} : { errors: [...outcome.errors] };
    return { problem: uncharged(problemOf(outcome.code, outcome.detail, errors)) };
  },
};

/** What was seen of an endpoint in up to 90 days. */
export const historySale: Sale<HistoryRequest> = {
  operation: operationOf('/v1/x402-history'),
  input: historyRequestSchema,
  resourceOf: ({ resource }) => resource,
  work: async ({ resource, days }) => {
    const history = await readHistory(secretDb(), { resource, days, now: Date.now() });
    if (history !== null) return { body: history };
    const detail =
      'This endpoint is not in the catalog. A trust report adopts it, and its history begins with that.';
    return { problem: uncharged(problemOf('unknown-resource', detail)) };
  },
};

function operationOf(path: string): Operation {
  const operation = operationAt('POST', path);
  if (operation === null) throw new Error(`The contract has no POST ${path}`);
  return operation;
}

/** The report, signed, and what undoes its adoption where it is not paid for, or cannot be signed. */
async function sold({ report, undo }: ReportMade): Promise<WorkResult> {
  try {
    const body = await signed(report);
    return undo === null ? { body } : { body, undo };
  } catch (error) {
    await undo?.();
    throw error;
  }
}

async function signed(report: TrustReport): Promise<TrustReport> {
  const keys = await signingKeys();
  return keys === null ? report : signReport(report, keys.signing);
}

const uncharged = (problem: Problem): Problem => ({ ...problem, notCharged: true });
