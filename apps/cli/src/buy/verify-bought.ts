import type { Host } from '../run.ts';
import { plain } from '../plain.ts';
import { checkReport, exitCodeOf } from '../verify/check-report.ts';
import { openKeyRing } from '../verify/key-ring.ts';
import { findingsOf } from '../verify/to-text.ts';

/** What came of checking something that was bought. */
export interface Verified {
  readonly style: 'green' | 'red' | 'yellow';
  /** One line. */
  readonly line: string;
  /** As `touchstone verify` ends: 0 good, 1 wrong, 2 not to be judged. */
  readonly code: 0 | 1 | 2;
}

/** What was asked for, and of whom. */
export interface Asked {
  readonly service: URL;
  /** URL of the endpoint. */
  readonly resource: string;
  readonly stdin: Host['stdin'];
}

const STYLES = ['green', 'red', 'yellow'] as const;

/** Checks that a report is about what was asked for, that its figures follow, and that the service made it. */
export async function verifyBought(report: unknown, { service, resource, stdin }: Asked): Promise<Verified> {
  const source = { stdin, allowPrivate: true, caFile: undefined };
  const keyRing = await openKeyRing({ ...source, given: undefined, reportsFrom: service });
  const checked = await checkReport('', report, keyRing);
  const named = checked.figures.outcome === 'no-report' ? null : checked.figures.report.resource;
  if (named !== null && named !== resource) {
    return { style: 'red', code: 1, line: `Not what was asked for: it is about ${plain(named, 500)}` };
  }
  const code = exitCodeOf(checked);
  const line = findingsOf(checked)
    .map(({ title, sentence, more }) => `${title}: ${[sentence, ...more.slice(0, 2)].join(' ')}`)
    .join(' ');
  return { style: STYLES[code], code, line };
}
