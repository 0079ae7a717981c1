import { formatUptime, formatUsd } from '@touchstone/common';
import { getNetworkName } from '@touchstone/x402/networks';
import { toPlainText } from '../format/plain-text.ts';
import { getGradeVariant, GradeMark, RecommendationChip } from '../verdict/verdict.tsx';
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
  return (
    <div className="@container">
      <ColumnHeads sortedBy={sortedBy} isRanked={isRanked} hasBoxes={compareForm !== undefined} />
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

/** Columns of a row in a wide container. */
const COLUMNS = '@3xl:grid-cols-[2.25rem_8.75rem_minmax(0,1fr)_7rem_7rem_6rem] @3xl:gap-x-4';

/** Heads of the columns in a wide container. Each value has its own name for screen readers, so they skip the heads. */
function ColumnHeads({
  sortedBy,
  isRanked,
  hasBoxes,
}: Pick<RowProps, 'sortedBy'> & { readonly isRanked: boolean; readonly hasBoxes: boolean }) {
  return (
    <div aria-hidden="true" className="hidden items-end gap-4 pb-1.5 text-sm text-ink-soft @3xl:flex">
      {isRanked ? <span className="w-7 shrink-0 text-right">Rank</span> : null}
      {hasBoxes ? <span className="-mr-3 -ml-1 w-7.5 shrink-0" /> : null}
      <div className={`grid min-w-0 grow items-end ${COLUMNS}`}>
        <span className="col-span-2">Grade, recommendation</span>
        <span>Endpoint</span>
        <span>Price per call</span>
        <span className="text-right">30-day uptime</span>
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
