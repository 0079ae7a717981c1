import {
  formatDay,
  formatGradedScore,
  formatMs,
  formatPercent,
  formatScore,
  formatUptime,
  formatUsd,
} from '@touchstone/common';
import type { Grade, Recommendation } from '@touchstone/contract';
import { getNetworkName } from '@touchstone/x402/networks';
import type { ReactNode } from 'react';
import { toPlainText } from '../format/plain-text.ts';
import { GradeMark, RecommendationChip } from '../verdict/verdict.tsx';
import { UptimeSpark } from './uptime-spark.tsx';

interface EndpointListProps {
  /** Endpoints in the order of the list. */
  readonly endpoints: readonly ListedEndpoint[];
  /** Value by which the list is sorted. Every row shows this value. */
  readonly sortedBy: ListValue;
  readonly id?: string;
  /** True if each row shows its position in the list. */
  readonly isRanked?: boolean;
  /** True if all endpoints have the same host. The rows then show the path without the host. */
  readonly hasOneHost?: boolean;
  /** Id of a form for which each row has a checkbox with the slug of its endpoint; absent for rows without a checkbox. */
  readonly compareForm?: string;
}

/**
 * List of endpoints with one row for each endpoint. The whole row is a link to the page of the endpoint. A row has one
 * line of values in a wide container, and two lines in a narrow container.
 */
export function EndpointList({
  endpoints,
  sortedBy,
  id,
  isRanked = false,
  hasOneHost = false,
  compareForm,
}: EndpointListProps) {
  return (
    <ol id={id} className="@container border-b border-line tabular-nums">
      {endpoints.map((endpoint, index) => (
        <li
          key={endpoint.slug}
          className="relative flex items-center gap-3 border-t border-line py-2.5 hover:bg-panel @3xl:gap-4"
        >
          {isRanked ? (
            <span className="w-5 shrink-0 text-right text-ink-soft @3xl:w-7">{index + 1}</span>
          ) : null}
          {compareForm === undefined ? null : <CompareBox endpoint={endpoint} form={compareForm} />}
          <Row endpoint={endpoint} sortedBy={sortedBy} hasOneHost={hasOneHost} />
        </li>
      ))}
    </ol>
  );
}

/** Checkbox above the link of the row, so that a click selects the endpoint and does not open its page. */
function CompareBox({ endpoint: { slug, resource }, form }: EndpointProps & { readonly form: string }) {
  return (
    <label className="relative z-[1] -my-2.5 -mr-2 -ml-1 flex cursor-pointer self-stretch p-1.5 @3xl:-mr-3">
      <input
        type="checkbox"
        form={form}
        name="endpoint"
        value={slug}
        aria-label={`Compare ${toPlainText(resource, 120)}`}
        className="size-4.5 self-center accent-accent"
      />
    </label>
  );
}

function Row({ endpoint, sortedBy, hasOneHost }: RowProps & { readonly hasOneHost: boolean }) {
  const { grade, recommendation } = endpoint;
  return (
    <div className="grid min-w-0 grow grid-cols-[auto_auto_auto_minmax(0,1fr)] items-center gap-x-3 gap-y-0.5 @3xl:grid-cols-[auto_8.75rem_minmax(0,1fr)_7rem_7rem_6rem] @3xl:gap-x-4">
      <GradeMark
        grade={grade}
        className={`row-span-2 row-start-1 h-10 w-9 @3xl:row-span-1 ${getMarkClass(endpoint)}`}
      />
      <span className="col-start-2 row-start-2 @3xl:row-start-1">
        <RecommendationChip recommendation={recommendation} className="@max-3xl:text-sm" />
        <Listing endpoint={endpoint} />
      </span>
      <div className="col-span-3 col-start-2 row-start-1 flex min-w-0 items-baseline justify-between gap-3 @3xl:contents">
        <Name endpoint={endpoint} hasOneHost={hasOneHost} />
        <SortValue endpoint={endpoint} sortedBy={sortedBy} />
      </div>
      <Price endpoint={endpoint} />
      <Uptime endpoint={endpoint} />
    </div>
  );
}

/** Highest confidence of a provisional grade, exclusive. */
const PROVISIONAL_CONFIDENCE = 0.3;

/** Returns the classes of the grade: without color if the endpoint is to avoid, hollow if few probes support the grade. */
function getMarkClass({ grade, recommendation, confidence }: ListedEndpoint): string {
  const color = recommendation === 'avoid' ? 'grayscale' : '';
  const isProvisional = grade !== '?' && confidence < PROVISIONAL_CONFIDENCE;
  return `${color} ${isProvisional ? '[&>path]:fill-transparent [&>text]:fill-current' : ''}`;
}

function Listing({ endpoint: { listingSource, listingStatus } }: EndpointProps) {
  if (listingSource === 'directory' && listingStatus === 'listed') return null;
  return (
    <span className="text-sm text-ink-soft @max-3xl:ml-2 @3xl:block">
      {listingSource === 'adopted' ? 'Not listed' : 'Delisted'}
    </span>
  );
}

/** URL or path as the link of the row, and the unverified texts of the provider in a wide container. */
function Name({ endpoint, hasOneHost }: EndpointProps & { readonly hasOneHost: boolean }) {
  const { slug, resource, serviceName, description } = endpoint;
  const texts = [serviceName ?? '', description ?? ''].map((text) => toPlainText(text, 120));
  const text = texts.filter((each) => each !== '').join(' · ');
  return (
    <div className="min-w-0 @3xl:col-start-3 @3xl:row-start-1">
      <a
        href={`/endpoint/${slug}`}
        className="block text-sm font-medium wrap-anywhere after:absolute after:inset-0 @max-3xl:line-clamp-2 @3xl:truncate"
      >
        <bdi className="font-mono">{hasOneHost ? toPath(resource) : resource.replace(/^https:\/\//, '')}</bdi>
      </a>
      {text === '' ? null : (
        <span className="hidden truncate text-sm text-ink-soft @3xl:block">
          <bdi>{text}</bdi>
        </span>
      )}
    </div>
  );
}

/** Returns the part of a URL after the host. */
function toPath(resource: string): string {
  const path = resource.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return path === '' ? '/' : path;
}

function Price({ endpoint }: EndpointProps) {
  const { amountUsd, templated, network } = endpoint;
  const notes = [
    ...(templated && amountUsd !== null ? ['per item'] : []),
    ...(network === null ? [] : [`on ${getNetworkName(network) ?? network}`]),
  ];
  return (
    <span className="col-start-3 row-start-2 text-sm @3xl:col-start-4 @3xl:row-start-1 @3xl:min-w-0 @3xl:text-base">
      <span className="sr-only">Price </span>
      {amountUsd === null ? (
        <span className="text-sm text-ink-soft">{formatMissingPrice(endpoint)}</span>
      ) : (
        formatUsd(amountUsd)
      )}
      {notes.length === 0 ? null : (
        <span className="hidden truncate text-sm text-ink-soft @3xl:block">
          <bdi>{notes.join(' ')}</bdi>
        </span>
      )}
    </span>
  );
}

function formatMissingPrice({ network }: ListedEndpoint): string {
  return network === null ? 'not advertised' : 'not in US dollars';
}

/** Daily uptime of the last 30 days as a drawing. In a wide container, the uptime of all these days is below it. */
function Uptime({ endpoint }: EndpointProps) {
  const { uptimeDays } = endpoint;
  const uptime = formatUptime(endpoint);
  return (
    <span className="col-start-4 row-start-2 min-w-0 text-right text-sm @3xl:col-start-5 @3xl:row-start-1">
      {uptimeDays.some((day) => day !== null) ? (
        <UptimeSpark
          days={uptimeDays}
          className="ml-auto block h-4 w-full max-w-20 @3xl:my-0.5 @3xl:h-5 @3xl:max-w-none"
        />
      ) : null}
      <span className="sr-only">Uptime </span>
      <span className={`block text-ink-soft ${uptime === null ? '@max-3xl:truncate' : '@max-3xl:sr-only'}`}>
        {uptime ?? 'not measured'}
      </span>
    </span>
  );
}

/** Value by which the list is sorted, with its name. */
function SortValue({ endpoint, sortedBy }: RowProps) {
  const { name, value, note } = VALUES[sortedBy](endpoint);
  return (
    <span className="shrink-0 text-right @3xl:col-start-6 @3xl:row-start-1">
      <span className="sr-only">{name} </span>
      {value === null ? (
        <span className="text-sm text-ink-soft">none</span>
      ) : (
        <span className="font-semibold whitespace-nowrap">{value}</span>
      )}
      <span className="hidden text-sm text-ink-soft @3xl:block">{note}</span>
    </span>
  );
}

interface Value {
  readonly name: string;
  readonly value: ReactNode;
  /** Text below the value in a wide container. */
  readonly note: string;
}

const formatScoreValue = (endpoint: ListedEndpoint): Value => ({
  name: 'Score',
  value: formatGradedScore(endpoint),
  note: endpoint.grade === '?' ? 'score' : `${formatScore(endpoint.scoreLow)} or more`,
});

/** Values by which lists are sorted. */
const VALUES = {
  score: formatScoreValue,
  price: (endpoint: ListedEndpoint): Value => ({
    name: 'Price',
    value: endpoint.amountUsd === null ? null : formatUsd(endpoint.amountUsd),
    note: 'per call',
  }),
  uptime: ({ uptime30d }: ListedEndpoint): Value => ({
    name: 'Uptime',
    value: uptime30d === null ? null : formatPercent(uptime30d / 100),
    note: 'in 30 days',
  }),
  latency: ({ latencyMs }: ListedEndpoint): Value => ({
    name: 'Average latency',
    value: latencyMs === null ? null : formatMs(latencyMs),
    note: 'on average',
  }),
  newest: ({ firstSeen }: ListedEndpoint): Value => ({
    name: 'First seen',
    value: formatDay(firstSeen),
    note: 'first seen',
  }),
  changed: ({ contentChangedAt }: ListedEndpoint): Value => ({
    name: 'Changed',
    value: formatDay(contentChangedAt),
    note: 'changed',
  }),
} as const;

/** Name of a value by which a list is sorted. */
export type ListValue = keyof typeof VALUES;

interface EndpointProps {
  readonly endpoint: ListedEndpoint;
}

interface RowProps extends EndpointProps {
  readonly sortedBy: ListValue;
}

/** Data of one row in a list of endpoints. */
export interface ListedEndpoint {
  readonly slug: string;
  readonly resource: string;
  /** Name and description of the service, as given by the provider and not verified. */
  readonly serviceName: string | null;
  readonly description: string | null;
  readonly grade: Grade;
  /** Trust score, 0 to 100, and the lower bound of its range. */
  readonly score: number;
  readonly scoreLow: number;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
  readonly recommendation: Recommendation;
  /** Uptime in percent; null if no probe was scored. */
  readonly uptime30d: number | null;
  readonly scoredProbes30d: number;
  /** Time since which every probe has been blocked; null if the latest probe was not blocked. */
  readonly blockedSince: string | null;
  /** Uptime in percent of each of the last 30 days, oldest first; null for a day without a scored probe. */
  readonly uptimeDays: readonly (number | null)[];
  /** Average latency in whole milliseconds; null when not measured. */
  readonly latencyMs: number | null;
  /** Price in US dollars as a decimal string; null if no price with a known dollar value is advertised. */
  readonly amountUsd: string | null;
  readonly templated: boolean;
  /** CAIP-2 id of the network; null if not advertised. */
  readonly network: string | null;
  readonly listingStatus: 'listed' | 'delisted';
  readonly listingSource: 'directory' | 'adopted';
  /** Times in ISO 8601. */
  readonly firstSeen: string;
  readonly contentChangedAt: string;
}
