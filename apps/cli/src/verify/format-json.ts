import { toPlainJson } from '../terminal/plain-text.ts';
import { toExitCode, type CheckedReport, type SignatureResult } from './check-report.ts';

/** Verdicts by exit code: 0, 1 and 2. */
const VERDICTS = ['ok', 'not-ok', 'undetermined'] as const;

/**
 * Formats a checked report as one line of `--json`. A difference has no `said` when the figure is missing in the
 * report, and no `computed` when the report should not contain the figure.
 */
export function formatJson(checked: CheckedReport): string {
  const { location, figures, signature } = checked;
  const report = figures.outcome === 'no-report' ? null : figures.report;
  return toPlainJson({
    place: location,
    verdict: VERDICTS[toExitCode(checked)],
    resource: report?.resource ?? null,
    score: report?.score ?? null,
    scoringVersion: report?.scoringVersion ?? null,
    figures: figures.outcome,
    differences: figures.outcome === 'differs' ? figures.differences : [],
    faults: figures.outcome === 'no-report' ? figures.faults : [],
    signature: signature.outcome,
    keyId: report?.signature?.keyId ?? null,
    keysFrom: findKeySource(signature),
    reason: signature.outcome === 'no-keys' ? signature.reason : null,
  });
}

function findKeySource(signature: SignatureResult): string | null {
  return 'keysFrom' in signature ? signature.keysFrom : null;
}
