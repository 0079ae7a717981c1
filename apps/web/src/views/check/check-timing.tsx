import { formatMs } from '@touchstone/common';
import { Timestamp } from '@touchstone/ui';
import { Section } from '../../page-parts/section.tsx';
import type { ShownCheck } from './load-check.ts';

const PHASES = [
  ['resolve', 'DNS'],
  ['connect', 'TCP'],
  ['tls', 'TLS'],
  ['processing', 'Server'],
  ['transfer', 'Transfer'],
] as const;

/** Durations of the first request by phase, as bars on a common time axis, and its TLS connection. */
export function CheckTiming({ check: { timingMs, tls } }: { readonly check: ShownCheck }) {
  const { total } = timingMs;
  const durations = PHASES.map(([phase]) => timingMs[phase] ?? 0);
  return (
    <Section id="timing" title="Time of the first request">
      <table className="mt-2 w-full text-sm">
        <thead className="sr-only">
          <tr>
            <th scope="col">Phase</th>
            <th scope="col">Share</th>
            <th scope="col">Duration</th>
          </tr>
        </thead>
        <tbody>
          {PHASES.map(([phase, label], index) => (
            <PhaseRow
              key={phase}
              label={label}
              ms={timingMs[phase]}
              start={durations.slice(0, index).reduce((sum, each) => sum + each, 0)}
              total={total}
            />
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line">
            <th scope="row" colSpan={2} className="py-1 text-left font-normal">
              Total, with a new connection
            </th>
            <td className="pl-3 text-right tabular-nums">{formatMs(total)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="mt-1 text-sm text-ink-soft">
        {tls === null ? (
          'No TLS connection.'
        ) : (
          <>
            {tls.protocol}
            {tls.validTo === null ? null : (
              <>
                , certificates valid until <Timestamp iso={tls.validTo} />
              </>
            )}
            .
          </>
        )}
      </p>
    </Section>
  );
}

/**
 * Row of one phase.
 *
 * @param props.ms Duration in milliseconds; null if it was not measured.
 * @param props.start Sum of the durations of the earlier phases, in milliseconds.
 */
function PhaseRow({
  label,
  ms,
  start,
  total,
}: {
  readonly label: string;
  readonly ms: number | null;
  readonly start: number;
  readonly total: number;
}) {
  return (
    <tr>
      <th scope="row" className="w-20 py-0.5 text-left font-normal">
        {label}
      </th>
      <td>
        <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="h-3 w-full" aria-hidden="true">
          <rect width="100" height="4" className="fill-line" />
          {ms === null || total <= 0 ? null : (
            <rect
              x={(100 * start) / total}
              width={Math.max(0.5, (100 * ms) / total)}
              height="4"
              className="fill-accent"
            />
          )}
        </svg>
      </td>
      <td className="w-28 pl-3 text-right tabular-nums">{ms === null ? 'not measured' : formatMs(ms)}</td>
    </tr>
  );
}
