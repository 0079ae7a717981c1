import { formatConfidence, formatMs, formatScore, formatUptime, formatUsd } from '@touchstone/common';
import type { Grade, Recommendation } from '@touchstone/contract';
import { getNetworkName } from '@touchstone/x402/networks';
import type { ReactNode } from 'react';
import { toPlainText } from '../format/plain-text.ts';
import { ResourceText } from '../values/values.tsx';
import { GradeMark, RecommendationChip } from '../verdict/verdict.tsx';

const COLUMNS = [
  'Rank',
  'Endpoint',
  'Grade',
  'Score, lower bound',
  'Recommendation',
  'Uptime, 30 days',
  'Average latency, 30 days',
  'Price, USDC',
  'Network',
  'Confidence',
];

/**
 * Ranked endpoints: a table on a wide screen, cards on a phone. The ARIA roles are explicit, because some browsers
 * remove the table roles if CSS changes `display`.
 *
 * @param props.rows Endpoints in ranking order; the first endpoint has rank 1.
 * @param props.caption Text that names the ranked endpoints, the ranking rule and the age of the data.
 */
export function EndpointTable({
  rows,
  caption,
}: {
  readonly rows: readonly EndpointRow[];
  readonly caption: ReactNode;
}) {
  return (
    <table role="table" className="block w-full tabular-nums lg:table lg:text-[0.95rem]">
      <caption className="block pb-4 text-left text-ink-soft lg:table-caption">{caption}</caption>
      <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
        <tr role="row" className="text-left text-sm text-ink-soft lg:table-row">
          {COLUMNS.map((column) => (
            <th
              key={column}
              role="columnheader"
              scope="col"
              className="border-b border-edge px-2 pb-2 align-bottom font-normal last:text-right lg:table-cell"
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-4 lg:table-row-group">
        {rows.map((row, index) => (
          <Row key={row.href} row={row} rank={index + 1} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, rank }: { readonly row: EndpointRow; readonly rank: number }) {
  const { grade, score, scoreLow, recommendation, latencyMs, latencyLabel, confidence } = row;
  return (
    <tr
      role="row"
      className="grid grid-cols-[auto_1fr_1fr_auto] gap-x-4 gap-y-3 border border-line bg-panel p-4 lg:table-row lg:border-0 lg:bg-transparent lg:hover:bg-panel"
    >
      <Cell className="row-start-1 text-ink-soft max-lg:text-lg">{rank}</Cell>
      <EndpointCell row={row} />
      <Cell className="row-start-1 max-lg:col-start-4">
        <GradeMark grade={grade} className="h-12 w-10 lg:h-9 lg:w-8" />
      </Cell>
      <Cell label="Score, lower bound">
        {formatScore(score)}
        <span className="lg:sr-only">, </span>
        <span className="text-sm text-ink-soft lg:block">{formatScore(scoreLow)}</span>
      </Cell>
      <Cell label="Recommendation">
        <RecommendationChip recommendation={recommendation} />
      </Cell>
      <Cell label="Uptime, 30 days">
        <span className="lg:block lg:min-w-20 lg:whitespace-normal">
          {formatUptime(row) ?? 'not measured'}
        </span>
      </Cell>
      <Cell label="Average latency, 30 days">
        {latencyMs === null ? 'not measured' : <Latency ms={latencyMs} label={latencyLabel} />}
      </Cell>
      <Cell label="Price, USDC">
        <Price row={row} />
      </Cell>
      <Cell label="Network">{row.network === null ? 'not advertised' : <Network id={row.network} />}</Cell>
      <Cell label="Confidence" className="lg:text-right">
        {formatConfidence(confidence)}
      </Cell>
    </tr>
  );
}

function EndpointCell({ row: { href, resource, serviceName } }: { readonly row: EndpointRow }) {
  const name = serviceName === null ? '' : toPlainText(serviceName, 60);
  return (
    <td
      role="cell"
      className="col-span-2 col-start-2 row-start-1 lg:table-cell lg:w-full lg:min-w-44 lg:border-b lg:border-line lg:px-2 lg:py-3"
    >
      <a href={href} className="text-sm leading-snug font-medium">
        <ResourceText resource={resource.replace(/^https:\/\//, '')} />
      </a>
      {name ? (
        <span className="block text-sm text-ink-soft">
          <bdi>{name}</bdi>
        </span>
      ) : null}
    </td>
  );
}

/** Cell of the endpoint table. The card layout has no column headers, so the cell then shows its label too. */
function Cell({
  label,
  className = '',
  children,
}: {
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const labelled = label === undefined ? '' : 'max-lg:col-span-2';
  return (
    <td
      role="cell"
      className={`${labelled} lg:table-cell lg:border-b lg:border-line lg:px-2 lg:py-3 lg:whitespace-nowrap ${className}`}
    >
      {label === undefined ? null : (
        <span aria-hidden="true" className="block text-sm text-ink-soft lg:hidden">
          {label}
        </span>
      )}
      {children}
    </td>
  );
}

function Latency({ ms, label }: { readonly ms: number; readonly label: string | null }) {
  return (
    <>
      {formatMs(ms)} {label === null ? null : <span className="text-ink-soft">{label}</span>}
    </>
  );
}

function Price({ row: { amountUsd, network, templated } }: { readonly row: EndpointRow }) {
  if (amountUsd === null) return network === null ? 'not advertised' : 'not in US dollars';
  return (
    <>
      {formatUsd(amountUsd)} {templated ? <span className="text-ink-soft">per item</span> : null}
    </>
  );
}

function Network({ id }: { readonly id: string }) {
  return getNetworkName(id) ?? <span className="font-mono text-sm">{id}</span>;
}

/** Data of one row in a list of endpoints. */
export interface EndpointRow {
  /** URL of the endpoint page. */
  readonly href: string;
  readonly resource: string;
  /** Name of the service, as given by the provider and not verified. */
  readonly serviceName: string | null;
  readonly grade: Grade;
  /** Trust score, 0 to 100. */
  readonly score: number;
  /** Lower bound of the score range, 0 to 100. */
  readonly scoreLow: number;
  readonly recommendation: Recommendation;
  /** Uptime in percent; null if no probe was scored. */
  readonly uptime30d: number | null;
  readonly scoredProbes30d: number;
  /** Time since which every probe has been blocked; null if the latest probe was not blocked. */
  readonly blockedSince: string | null;
  /** Average latency in whole milliseconds; null when not measured. */
  readonly latencyMs: number | null;
  readonly latencyLabel: string | null;
  /** Price in US dollars as a decimal string; null if no price with a known dollar value is advertised. */
  readonly amountUsd: string | null;
  readonly templated: boolean;
  /** CAIP-2 id of the network; null if not advertised. */
  readonly network: string | null;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
}
