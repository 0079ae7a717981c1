import { DAY_MS, formatDay, formatPeriod, formatUptime, formatUsd } from '@touchstone/common';
import { formatNetwork } from '../format/network-name.ts';
import { toPlainText } from '../format/plain-text.ts';
import { getGradeVariant, GradeMark, RecommendationChip } from '../verdict/verdict.tsx';
import { ResourceText } from '../values/values.tsx';
import { type ListValue, VALUE_NAMES, VALUES } from './list-values.ts';
import type { ListedEndpoint } from './listed-endpoint.ts';
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
  const period = findPeriod(endpoints);
  return (
    <div className="@container">
      <ColumnHeads
        sortedBy={sortedBy}
        period={period}
        isRanked={isRanked}
        hasBoxes={compareForm !== undefined}
      />
      <p className="pb-1.5 text-right text-xs text-ink-soft @3xl:hidden">Uptime, {period}</p>
      <ol id={id} className="border-b border-line tabular-nums">
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
    </div>
  );
}

/** Finds the period of the uptimes of a list. It begins with the first day with a scored probe of any endpoint. */
function findPeriod(endpoints: readonly ListedEndpoint[]): string {
  const firstDays = endpoints.flatMap(({ uptimeDays, computedAt }) => {
    const age = uptimeDays.length - 1 - uptimeDays.findIndex((uptime) => uptime !== null);
    return age < uptimeDays.length ? [formatDay(Date.parse(computedAt) - age * DAY_MS)] : [];
  });
  return formatPeriod(firstDays.sort()[0], endpoints[0]?.computedAt ?? '');
}

/** Columns of a row in a wide container. */
const COLUMNS = '@3xl:grid-cols-[2.25rem_8.75rem_minmax(0,1fr)_7rem_7rem_6rem] @3xl:gap-x-4';

/** Heads of the columns in a wide container. Each value has its own name for screen readers, so they skip the heads. */
function ColumnHeads({
  sortedBy,
  period,
  isRanked,
  hasBoxes,
}: Pick<RowProps, 'sortedBy'> & {
  readonly period: string;
  readonly isRanked: boolean;
  readonly hasBoxes: boolean;
}) {
  return (
    <div aria-hidden="true" className="hidden items-end gap-4 pb-1.5 text-sm text-ink-soft @3xl:flex">
      {isRanked ? <span className="w-7 shrink-0 text-right">Rank</span> : null}
      {hasBoxes ? <span className="-mr-3 -ml-1 w-7.5 shrink-0" /> : null}
      <div className={`grid min-w-0 grow items-end ${COLUMNS}`}>
        <span className="col-span-2">Grade, recommendation</span>
        <span>Endpoint</span>
        <span>Price per call</span>
        <span className="text-right">Uptime, {period}</span>
        <span className="text-right font-semibold text-ink">{VALUE_NAMES[sortedBy]}</span>
      </div>
    </div>
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
    <div
      className={`grid min-w-0 grow grid-cols-[auto_auto_auto_minmax(0,1fr)] items-center gap-x-3 gap-y-0.5 ${COLUMNS}`}
    >
      <GradeMark
        grade={grade}
        variant={getGradeVariant(endpoint)}
        className="row-span-2 row-start-1 h-10 w-9 @3xl:row-span-1"
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
  const { slug, resource } = endpoint;
  const name = toPlainText(endpoint.serviceName ?? '', 120);
  const description = toPlainText(endpoint.description ?? '', 120);
  return (
    <div className="min-w-0 @3xl:col-start-3 @3xl:row-start-1">
      <a
        href={`/endpoint/${slug}`}
        className="block text-sm font-medium after:absolute after:inset-0 @max-3xl:line-clamp-2 @3xl:truncate"
      >
        <ResourceText resource={hasOneHost ? toPath(resource) : resource.replace(/^https:\/\//, '')} />
      </a>
      {name + description === '' ? null : (
        <span className={`truncate text-sm text-ink-soft @3xl:block ${name === '' ? 'hidden' : 'block'}`}>
          <bdi>{name}</bdi>
          {description === '' ? null : (
            <bdi className="hidden @3xl:inline">
              {name === '' ? '' : ' · '}
              {description}
            </bdi>
          )}
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
    ...(network === null ? [] : [`on ${formatNetwork(network)}`]),
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
        <span className="hidden text-sm text-ink-soft [overflow-wrap:anywhere] @3xl:block">
          <bdi>{notes.join(' ')}</bdi>
        </span>
      )}
    </span>
  );
}

function formatMissingPrice({ network }: ListedEndpoint): string {
  return network === null ? 'not advertised' : 'not in US dollars';
}

/** Uptime of all days, with a drawing of the daily uptime where the container has room for it. */
function Uptime({ endpoint }: EndpointProps) {
  const { uptimeDays, blockedSince } = endpoint;
  const uptime = formatUptime(endpoint);
  const isShort = uptime !== null && blockedSince === null;
  return (
    <span className="col-start-4 row-start-2 flex min-w-0 items-center justify-end gap-2 text-right text-sm @3xl:col-start-5 @3xl:block @3xl:row-start-1">
      {uptimeDays.some((day) => day !== null) ? (
        <UptimeSpark
          days={uptimeDays}
          className="hidden h-4 w-full max-w-20 @sm:block @3xl:my-0.5 @3xl:h-5 @3xl:max-w-none"
        />
      ) : null}
      <span className="sr-only">Uptime </span>
      <span className={`text-ink-soft @3xl:block ${isShort ? 'shrink-0' : '@max-3xl:truncate'}`}>
        {uptime ?? 'not measured'}
      </span>
    </span>
  );
}

/** Value by which the list is sorted, with its name. */
function SortValue({ endpoint, sortedBy }: RowProps) {
  const { value, note } = VALUES[sortedBy](endpoint);
  return (
    <span className="shrink-0 text-right @3xl:col-start-6 @3xl:row-start-1">
      <span className="block text-xs text-ink-soft @3xl:sr-only">{VALUE_NAMES[sortedBy]} </span>
      {value === null ? (
        <span className="text-sm text-ink-soft">none</span>
      ) : (
        <span className="font-semibold whitespace-nowrap">{value}</span>
      )}
      <span className="hidden text-sm text-ink-soft @3xl:block">{note}</span>
    </span>
  );
}

interface EndpointProps {
  readonly endpoint: ListedEndpoint;
}

interface RowProps extends EndpointProps {
  readonly sortedBy: ListValue;
}
