import type { Host } from '../run.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import { checkReport, toExitCode } from '../verify/check-report.ts';
import { createFindings } from '../verify/format-result.ts';
import { openKeyRing } from '../verify/key-ring.ts';

/** Result of verifying a bought report. */
export interface VerificationResult {
  readonly color: 'green' | 'red' | 'yellow';
  /** Findings on the figures and the signature, in one line. */
  readonly line: string;
  /** Exit code with the same meaning as in `touchstone verify`: 0 valid, 1 invalid, 2 undetermined. */
  readonly code: 0 | 1 | 2;
}

/** The request that bought the report. */
export interface ReportRequest {
  readonly service: URL;
  /** URL of the endpoint. */
  readonly resource: string;
  readonly stdin: Host['stdin'];
}

const COLORS = ['green', 'red', 'yellow'] as const;

/**
 * Verifies that a report is about the requested endpoint, that its computed figures follow from its raw figures, and
 * that the service signed it.
 */
export async function verifyBoughtReport(
  report: unknown,
  { service, resource, stdin }: ReportRequest,
): Promise<VerificationResult> {
  const source = { stdin, allowPrivate: true, caFile: undefined };
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
