import { formatCount } from '@touchstone/common';
import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import type { ExploreListing } from '@touchstone/store';
import { formatNetwork, GradeMark, RecommendationChip } from '@touchstone/ui';
import type { KeyboardEvent } from 'react';
import { getCount, listChoices } from '../choices.ts';
import {
  type ExploreParams,
  getDefaultSort,
  LISTING_LABELS,
  NO_PARAMS,
  PROPERTIES,
  PROPERTY_LABELS,
  SORT_LABELS,
  toListingValue,
} from '../explore-params.ts';
import { listActiveFilters, removeFilters } from '../list-filters.ts';
import type { ExploreResult } from '../list-endpoints.ts';
import { RESULT_COUNT_ID } from './result-list.tsx';
import type { ExploreActions } from './filter-fields.tsx';
import { Checkboxes, FieldGroup, SelectField, TextField, FilterLink } from './filter-fields.tsx';

interface FiltersProps {
  readonly params: ExploreParams;
  /** Invalid values of the URL or of the form. The page ignores these values. */
  readonly ignored: readonly string[];
  /** First page of the endpoints that match. */
  readonly result: ExploreResult;
  readonly actions: ExploreActions | undefined;
  /** React key of the fields. A new key makes the fields show `params` again, and the `details` element stays open. */
  readonly formKey: number;
}

/**
 * Filters of the explore page. On a phone, they are a closed `details` element that opens as a sheet at the bottom of the
 * screen; a tap outside of the sheet closes it. On a wide screen, the filters are always shown if the browser can style
 * the content of a closed `details` element.
 */
export function Filters({ params, ignored, result, actions, formKey }: FiltersProps) {
  const count = listActiveFilters(params).length;
  return (
    <details
      className="group min-w-0 border-y border-line lg:supports-[selector(::details-content)]:border-0 lg:[&::details-content]:block lg:[&::details-content]:[content-visibility:visible]"
      onKeyDown={actions === undefined ? undefined : closeWithEscape}
    >
      <summary className="cursor-pointer py-3 font-semibold group-open:before:fixed group-open:before:inset-0 group-open:before:z-10 group-open:before:bg-stone/60 lg:group-open:before:hidden lg:supports-[selector(::details-content)]:hidden">
        Filters and sorting{count === 0 ? '' : ` (${count})`}
      </summary>
      <div className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:flex max-lg:max-h-[85svh] max-lg:flex-col max-lg:border-t max-lg:border-edge max-lg:bg-ground">
        <div
          key={formKey}
          className="grid gap-6 pb-6 max-lg:min-h-0 max-lg:overflow-y-auto max-lg:p-4 sm:grid-cols-2 lg:grid-cols-1"
        >
          <SortField params={params} actions={actions} />
          <CheckboxFields params={params} result={result} actions={actions} />
          <PriceFields params={params} ignored={ignored} actions={actions} />
          <OtherFields params={params} ignored={ignored} result={result} actions={actions} />
        </div>
        <Buttons params={params} result={result} actions={actions} hasFilters={count > 0} />
      </div>
    </details>
  );
}

const BUTTON_CLASS =
  'cursor-pointer border border-edge bg-panel px-5 py-2.5 font-semibold hover:border-accent hover:text-accent';

/**
 * Buttons below the filters. Before the script runs, a button applies the filters. With the script, a button on a phone
 * closes the sheet.
 */
function Buttons({
  params,
  result,
  actions,
  hasFilters,
}: FieldProps & ResultProps & { readonly hasFilters: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-x-6 gap-y-3 max-lg:border-t max-lg:border-line max-lg:px-4 max-lg:py-3">
      {actions === undefined ? (
        <button type="submit" className={BUTTON_CLASS}>
          Apply filters
        </button>
      ) : (
        <button
          type="button"
          className={`lg:hidden ${BUTTON_CLASS}`}
          onClick={({ currentTarget }) => {
            closeSheet(currentTarget);
            document.getElementById(RESULT_COUNT_ID)?.focus();
          }}
        >
          {formatShownResults(result)}
        </button>
      )}
      {hasFilters ? (
        <FilterLink params={removeFilters(params)} actions={actions}>
          Remove all filters
        </FilterLink>
      ) : null}
    </p>
  );
}

function formatShownResults({ total, isTotalMinimum }: ExploreResult): string {
  if (total === null) return 'Show results';
  return isTotalMinimum
    ? `Show ${formatCount(total)} or more results`
    : `Show ${formatCount(total, 'result')}`;
}

function closeSheet(element: HTMLElement): void {
  element.closest('details')?.removeAttribute('open');
}

function closeWithEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape' || !currentTarget.open) return;
  closeSheet(currentTarget);
  currentTarget.querySelector('summary')?.focus();
}

/** First page of the endpoints that match, with the numbers of the choices. */
type ResultProps = Pick<FiltersProps, 'result'>;

interface FieldProps {
  readonly params: ExploreParams;
  readonly actions: ExploreActions | undefined;
}

function SortField({ params, actions }: FieldProps) {
  const { text, sort } = params;
  const first = getDefaultSort(text);
  // The first option has an empty value, so that the default order applies. The default order depends on the search
  // text.
  const others = (Object.keys(SORT_LABELS) as (keyof typeof SORT_LABELS)[]).filter(
    (value) => value !== first && (value !== 'relevance' || text !== ''),
  );
  return (
    <SelectField
      label="Sort by"
      name="sort"
      value={sort === first ? '' : sort}
      options={[['', SORT_LABELS[first]], ...others.map((value) => [value, SORT_LABELS[value]] as const)]}
      actions={actions}
    />
  );
}

function CheckboxFields({ params, result: { counts }, actions }: FieldProps & ResultProps) {
  const networkCounts = counts?.networks ?? {};
  const networks = listChoices(networkCounts, params.networks).map(({ value }) => value);
  return (
    <>
      <FieldGroup legend="Grade">
        <div className="grid grid-cols-2 gap-x-6">
          <Checkboxes
            {...{ name: 'grade', values: GRADES, counts: counts?.grades, actions }}
            checked={params.grades}
            format={(grade) => <GradeMark grade={grade} className="h-7 w-6" />}
          />
        </div>
      </FieldGroup>
      <FieldGroup legend="Recommendation">
        <Checkboxes
          {...{ name: 'recommendation', values: RECOMMENDATIONS, counts: counts?.recommendations, actions }}
          checked={params.recommendations}
          format={(recommendation) => <RecommendationChip recommendation={recommendation} />}
        />
      </FieldGroup>
      <FieldGroup legend="Measured">
        <Checkboxes
          {...{ name: 'property', values: PROPERTIES, counts: counts?.properties, actions }}
          checked={params.properties}
          format={(property) => PROPERTY_LABELS[property]}
        />
      </FieldGroup>
      {networks.length === 0 ? null : (
        <FieldGroup legend="Network">
          <Checkboxes
            {...{ name: 'network', values: networks, counts: networkCounts, actions }}
            checked={params.networks}
            format={(id) => <bdi className="[overflow-wrap:anywhere]">{formatNetwork(id)}</bdi>}
          />
        </FieldGroup>
      )}
    </>
  );
}

function PriceFields({ params, ignored, actions }: FieldProps & Pick<FiltersProps, 'ignored'>) {
  const { minPriceUsd, maxPriceUsd } = params;
  const field = { ignored, actions, inputMode: 'decimal' } as const;
  return (
    <FieldGroup legend="Price per call, USD">
      <div className="mt-1 grid grid-cols-2 gap-3">
        <TextField {...field} label="From" name="min_price" value={minPriceUsd} placeholder="0" />
        <TextField {...field} label="To" name="max_price" value={maxPriceUsd} placeholder="any" />
      </div>
    </FieldGroup>
  );
}

function OtherFields({ params, ignored, result, actions }: Omit<FiltersProps, 'formKey'>) {
  const { host, tag, status } = params;
  const tags = listChoices(result.counts?.tags ?? {}, tag === null ? [] : [tag]);
  return (
    <>
      <TextField
        label="Host"
        name="host"
        value={host}
        ignored={ignored}
        actions={actions}
        inputMode="url"
        placeholder="api.example.com"
      />
      {tags.length === 0 ? null : (
        <SelectField
          label="Tag of the provider"
          name="tag"
          value={tag ?? ''}
          options={[
            ['', 'Any tag'],
            ...tags.map(({ value, endpoints }) => [value, addCount(value, endpoints)] as const),
          ]}
          actions={actions}
        />
      )}
      <SelectField
        label="Listing"
        name="status"
        value={status === NO_PARAMS.status ? '' : toListingValue(status)}
        options={listListings(result)}
        actions={actions}
      />
    </>
  );
}

/** Lists the values of the filter by listing with their numbers of endpoints. The empty value selects listed endpoints. */
function listListings(result: ExploreResult): readonly (readonly [value: string, label: string])[] {
  const count = (listing: ExploreListing) => getCount(result.counts?.listings, listing);
  const [listed, delisted, adopted] = [count('listed'), count('delisted'), count('adopted')];
  const all = listed === null ? null : listed + (delisted ?? 0) + (adopted ?? 0);
  return [
    ['', addCount(LISTING_LABELS.listed, listed)],
    ['delisted', addCount(LISTING_LABELS.delisted, delisted)],
    ['adopted', addCount(LISTING_LABELS.adopted, adopted)],
    ['all', addCount(LISTING_LABELS.all, all)],
  ];
}

/** Adds the number of endpoints to the label of a choice, if they were counted. */
function addCount(label: string, endpoints: number | null): string {
  return endpoints === null ? label : `${label} (${formatCount(endpoints)})`;
}
