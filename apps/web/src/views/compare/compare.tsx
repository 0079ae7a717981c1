import {
  formatConfidence,
  formatDay,
  formatGradedScore,
  formatMs,
  formatScore,
  formatUptime,
  formatUsd,
} from '@touchstone/common';
import type { Snapshot } from '@touchstone/store';
import { selectMainOption } from '@touchstone/trust';
import {
  formatNetwork,
  getGradeVariant,
  GradeMark,
  PageFrame,
  RecommendationChip,
  ResourceText,
} from '@touchstone/ui';
import type { ReactNode } from 'react';
import { Breadcrumb } from '../../page-parts/breadcrumb.tsx';
import { IgnoredValues } from '../../page-parts/list-parts.tsx';
import { OUTCOME_TEXTS } from '../../page-parts/purchase-text.ts';
import { ExplorerLink } from '../../page-parts/explorer-link.tsx';
import { formatListing } from '../endpoint/subject.tsx';
import { type ComparedEndpoints, MAX_COMPARED } from './compare-params.ts';

/** Endpoints of the comparison page, with the parameters of its URL. */
export interface Comparison {
  readonly compared: ComparedEndpoints;
  /** Public snapshots in the order of the URL. */
  readonly snapshots: readonly Snapshot[];
}

/** Page that shows two to four endpoints side by side. */
export function Compare({ compared, snapshots }: Comparison) {
  return (
    <PageFrame>
      <Breadcrumb parents={[]} current="Compare" />
      <h1 className="mt-3">Compare endpoints</h1>
      <Notices compared={compared} snapshots={snapshots} />
      {snapshots.length === 0 ? null : <ComparisonTable snapshots={snapshots} />}
      <p className="mt-6">
        <a href="/explore">{snapshots.length < 2 ? 'Select endpoints' : 'Select other endpoints'}</a>
      </p>
    </PageFrame>
  );
}

/** Messages about missing endpoints, and about values of the URL that have no effect. */
function Notices({ compared, snapshots }: Comparison) {
  const { ids, isCut, ignored } = compared;
  const found = new Set(snapshots.map(({ endpointId }) => endpointId));
  const missing = ids.filter((id) => !found.has(id));
  return (
    <div role="status" className="mt-4 max-w-2xl space-y-3 text-lg [overflow-wrap:anywhere]">
      {snapshots.length >= 2 ? null : (
        <p>
          {snapshots.length === 0 ? 'No endpoint is selected. ' : 'Only one endpoint is selected. '}
          Select two to four endpoints in a list with their checkboxes, then press Compare.
        </p>
      )}
      {missing.map((id) => (
        <p key={id}>
          No monitored endpoint has the id <span className="font-mono">{id}</span>. It may have been removed.
        </p>
      ))}
      <IgnoredValues values={ignored}>Use the last part of the address of an endpoint page.</IgnoredValues>
      {isCut ? <p>At most {MAX_COMPARED} endpoints are compared. The others are left out.</p> : null}
    </div>
  );
}

interface Row {
  readonly label: string;
  readonly format: (snapshot: Snapshot) => ReactNode;
}

const ROWS: readonly Row[] = [
  {
    label: 'Recommendation',
    format: ({ recommendation }) => <RecommendationChip recommendation={recommendation} />,
  },
  {
    label: 'Grade and score',
    format: (snapshot) => (
      <span className="flex items-center gap-3">
        <GradeMark grade={snapshot.grade} variant={getGradeVariant(snapshot)} className="h-10 w-9 shrink-0" />
        <span>
          <strong>{formatGradedScore(snapshot) ?? 'no score'}</strong>
          <span className="block text-sm text-ink-soft">
            range {formatScore(snapshot.scoreLow)} to {formatScore(snapshot.scoreHigh)}
          </span>
        </span>
      </span>
    ),
  },
  { label: 'Confidence', format: ({ confidence }) => formatConfidence(confidence) },
  { label: 'Price per call', format: formatPrice },
  { label: 'Uptime, last 30 days', format: (snapshot) => formatUptime(snapshot) ?? 'not measured' },
  { label: 'Latency, last 30 days', format: formatLatency },
  { label: 'Network', format: formatNetworks },
  { label: 'payTo address', format: formatPayTo },
  { label: 'Test purchase', format: formatDelivery },
  { label: 'Listing', format: formatListing },
];

function formatPrice({ amountUsd, templated, payOn }: Snapshot): string {
  if (amountUsd === null) return payOn.length === 0 ? 'not advertised' : 'not in US dollars';
  return `${formatUsd(amountUsd)} USDC${templated ? ' per item' : ''}`;
}

function formatLatency({ latencyMsP50, latencyMsP95 }: Snapshot): string {
  if (latencyMsP50 === null || latencyMsP95 === null) return 'not measured';
  return `${formatMs(latencyMsP50)} p50, ${formatMs(latencyMsP95)} p95`;
}

function formatNetworks({ payOn, network }: Snapshot): ReactNode {
  const ids = new Set([...(network === null ? [] : [network]), ...payOn.map((option) => option.network)]);
  if (ids.size === 0) return 'not advertised';
  return <bdi>{[...ids].map(formatNetwork).join(', ')}</bdi>;
}

function formatPayTo({ payOn }: Snapshot): ReactNode {
  const main = selectMainOption(payOn);
  if (main === null) return 'not advertised';
  return (
    <span className="font-mono text-sm wrap-anywhere">
      <ExplorerLink network={main.network} address={main.payTo} />
    </span>
  );
}

function formatDelivery({ delivery }: Snapshot): string {
  if (delivery === null || delivery.last === null) return 'none in 30 days';
  return `${OUTCOME_TEXTS[delivery.last.outcome].label}, ${formatDay(delivery.last.at)}`;
}

const CELL_CLASS = 'border-t border-line py-3 pr-6 align-top';

/** Table with one column for each endpoint. On a narrow screen, the columns scroll in the frame of the table. */
function ComparisonTable({ snapshots }: Pick<Comparison, 'snapshots'>) {
  return (
    <div className="mt-8 overflow-x-auto" tabIndex={0} role="region" aria-label="Comparison">
      <table className="w-full table-fixed border-b border-line text-left tabular-nums">
        <thead>
          <tr>
            <th scope="col" className="w-34 py-3 pr-4 sm:w-44">
              <span className="sr-only">Property</span>
            </th>
            {snapshots.map(({ endpointId, slug, resource }) => (
              <th
                key={endpointId}
                scope="col"
                className="w-44 py-3 pr-6 align-bottom sm:w-56 text-sm font-medium"
              >
                <a href={`/endpoint/${slug}`}>
                  <ResourceText resource={resource.replace(/^https:\/\//, '')} />
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ label, format }) => (
            <tr key={label}>
              <th
                scope="row"
                className={`${CELL_CLASS} sticky left-0 bg-ground text-sm font-normal text-ink-soft`}
              >
                {label}
              </th>
              {snapshots.map((snapshot) => (
                <td key={snapshot.endpointId} className={CELL_CLASS}>
                  {format(snapshot)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
