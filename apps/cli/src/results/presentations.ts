import {
  historySchema,
  semanticSearchRequestSchema,
  similarRequestSchema,
  trustReportSchema,
} from '@touchstone/contract';
import type { Presentation, PurchaseContext, VerificationResult } from '../buy/buy-and-print.ts';
import { formatSimilarLine } from '../service/service-options.ts';
import { toPlainText } from '../terminal/text.ts';
import { checkReport, openKeyRing, toExitCode } from '../verify/check-report.ts';
import { createFindings } from '../verify/format-result.ts';
import { formatHistory } from './history-text.ts';
import { formatSearch, formatSimilar, receivedSearchSchema, receivedSimilarSchema } from './list-text.ts';
import { formatTrustReport } from './trust-text.ts';

const COLORS = ['green', 'red', 'yellow'] as const;

/**
 * Verifies that a report is about the requested endpoint, that its computed figures follow from its raw figures, and
 * that the service signed it.
 */
async function verifyReport(
  report: unknown,
  { service, values: { resource }, host: { stdin } }: PurchaseContext,
): Promise<VerificationResult> {
  const source = { stdin, allowPrivate: true, caFile: undefined, command: 'verify' };
  const keyRing = await openKeyRing({ ...source, keysOption: undefined, reportsUrl: service });
  const checked = await checkReport('', report, keyRing);
  const reported = checked.figures.outcome === 'no-report' ? null : checked.figures.report.resource;
  if (reported !== null && reported !== resource) {
    return { color: 'red', code: 1, line: `Wrong report: it is about ${toPlainText(reported, 500)}` };
  }
  const code = toExitCode(checked);
  const line = createFindings(checked)
    .map(({ title, sentence, details }) => `${title}: ${[sentence, ...details.slice(0, 2)].join(' ')}`)
    .join(' ');
  return { color: COLORS[code], code, line };
}

/** Presentations of the paid operations on endpoints, by the id of the operation. */
export const PRESENTATIONS: Readonly<Record<string, Presentation>> = {
  getTrustReport: {
    exitCodes: `
  0  bought; all figures agree, and the service signed the report
  1  bought, but a figure differs, the signature is not by the service, or the
     report is about another endpoint
  2  not bought, or bought but not verified; the message has the reason`,
    readResult: (json, { command, values }) => {
      const { data } = trustReportSchema.safeParse(json);
      if (data === undefined) return null;
      const isDoubtful = data.recommendation === 'avoid' || data.recommendation === 'caution';
      const hint = isDoubtful
        ? `Find alternatives: ${formatSimilarLine(String(values['resource']), command)}`
        : null;
      return { toText: (style) => formatTrustReport(data, style), hint };
    },
    verify: verifyReport,
  },
  getHistory: {
    exitCodes: `
  0  bought
  2  not bought, or the response is not a history that this version can read`,
    readResult: (json) => {
      const { data } = historySchema.safeParse(json);
      return data === undefined ? null : { toText: (style) => formatHistory(data, style) };
    },
  },
  searchEndpoints: {
    help: `
Ranking
  Matches are ranked by similarity in whole percent, then by score. Endpoints
  less than 50 % similar are left out. A match is no recommendation: buy the trust
  report of an endpoint before you pay it.
`,
    exitCodes: `
  0  bought, also without any match
  2  not bought, or the response is not a list that this version can read`,
    readResult: (json, { values }) => {
      const { data } = receivedSearchSchema.safeParse(json);
      const request = semanticSearchRequestSchema.parse(values);
      return data === undefined ? null : { toText: (style) => formatSearch(data, request, style) };
    },
  },
  findAlternatives: {
    help: `
Alternatives
  An alternative is a listed endpoint on another host that is at least 55 %
  similar and has the required points more. Endpoints with the recommendation
  avoid are left out. Alternatives are ranked by similarity in whole percent, then by score.
`,
    exitCodes: `
  0  bought, also without any alternative
  2  not bought, or the response is not a list that this version can read`,
    readResult: (json, { values, command }) => {
      const { data } = receivedSimilarSchema.safeParse(json);
      const request = similarRequestSchema.parse(values);
      const retryLine = formatSimilarLine(request.resource, command, ['--min-score-delta', '0']);
      return data === undefined
        ? null
        : { toText: (style) => formatSimilar(data, { ...request, retryLine }, style) };
    },
  },
};
