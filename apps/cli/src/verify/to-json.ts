import { plainJson } from '../plain.ts';
import { exitCodeOf, type Checked, type SignatureResult } from './check-report.ts';

const VERDICTS = ['ok', 'not-ok', 'undetermined'] as const;

/**
 * One line of `--json`. A difference has no `said` where the report lacks a figure, and no `computed` where it has one
 * too many.
 */
export function toJson(checked: Checked): string {
  const { place, figures, signature } = checked;
  const report = figures.outcome === 'no-report' ? null : figures.report;
  return plainJson({
    place,
    verdict: VERDICTS[exitCodeOf(checked)],
    resource: report?.resource ?? null,
    score: report?.score ?? null,
    scoringVersion: report?.scoringVersion ?? null,
    figures: figures.outcome,
    differences: figures.outcome === 'differs' ? figures.differences : [],
    faults: figures.outcome === 'no-report' ? figures.faults : [],
    signature: signature.outcome,
    keyId: report?.signature?.keyId ?? null,
    keysFrom: keysFromOf(signature),
    reason: signature.outcome === 'no-keys' ? signature.reason : null,
  });
}

function keysFromOf(signature: SignatureResult): string | null {
  return 'keysFrom' in signature ? signature.keysFrom : null;
}
