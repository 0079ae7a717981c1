import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { GradeMark, RecommendationChip } from '@touchstone/ui';
import { formatNetwork, type Choices } from '../choices.ts';
import { type ExploreParams, SORT_LABELS, getDefaultSort } from '../explore-params.ts';
import { listActiveFilters, removeFilters } from '../list-filters.ts';
import type { ExploreActions } from './filter-fields.tsx';
import { Checkbox, FieldGroup, SelectField, TextField, FilterLink } from './filter-fields.tsx';

interface FiltersProps {
  readonly params: ExploreParams;
  /** Invalid values of the URL or of the form. The page ignores these values. */
  readonly ignored: readonly string[];
  readonly choices: Choices;
  readonly actions: ExploreActions | undefined;
  /** React key of the fields. A new key makes the fields show `params` again, and the `details` element stays open. */
  readonly formKey: number;
}

/**
 * Filters of the explore page. On a phone, the filters are in a closed `details` element. On a wide screen, the filters
 * are always shown if the browser can style the content of a closed `details` element.
 */
export function Filters({ params, ignored, choices, actions, formKey }: FiltersProps) {
  const count = listActiveFilters(params).length;
  return (
    <details className="group min-w-0 border-y border-line lg:supports-[selector(::details-content)]:border-0 lg:[&::details-content]:block lg:[&::details-content]:[content-visibility:visible]">
      <summary className="cursor-pointer py-3 font-semibold lg:supports-[selector(::details-content)]:hidden">
        Filters and sorting{count === 0 ? '' : ` (${count})`}
      </summary>
      <div key={formKey} className="grid gap-6 pb-6 sm:grid-cols-2 lg:grid-cols-1">
        <SortField params={params} actions={actions} />
        <GradeFields params={params} actions={actions} />
        <RecommendationFields params={params} actions={actions} />
        <NetworkFields params={params} choices={choices} actions={actions} />
        <PriceFields params={params} ignored={ignored} actions={actions} />
        <OtherFields params={params} ignored={ignored} choices={choices} actions={actions} />
        <p className="flex flex-wrap items-center gap-x-6 gap-y-3 sm:col-span-2 lg:col-span-1">
          {actions === undefined ? (
            <button
              type="submit"
              className="cursor-pointer border border-edge bg-panel px-5 py-2.5 font-semibold hover:border-accent hover:text-accent"
            >
              Apply filters
            </button>
          ) : null}
          {count === 0 ? null : (
            <FilterLink params={removeFilters(params)} actions={actions}>
              Remove all filters
            </FilterLink>
          )}
        </p>
      </div>
    </details>
  );
}

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

function GradeFields({ params: { grades }, actions }: FieldProps) {
  return (
    <FieldGroup legend="Grade">
      <div className="grid grid-cols-3 gap-x-3">
        {GRADES.map((grade) => (
          <Checkbox
            key={grade}
            name="grade"
            value={grade}
            isChecked={grades.includes(grade)}
            actions={actions}
          >
            <GradeMark grade={grade} className="h-7 w-6" />
          </Checkbox>
        ))}
      </div>
    </FieldGroup>
  );
}

function RecommendationFields({ params: { recommendations }, actions }: FieldProps) {
  return (
    <FieldGroup legend="Recommendation">
      {RECOMMENDATIONS.map((recommendation) => (
        <Checkbox
          key={recommendation}
          name="recommendation"
          value={recommendation}
          isChecked={recommendations.includes(recommendation)}
          actions={actions}
        >
          <RecommendationChip recommendation={recommendation} />
        </Checkbox>
      ))}
    </FieldGroup>
  );
}

function NetworkFields({ params, choices, actions }: FieldProps & Pick<FiltersProps, 'choices'>) {
  const { networks } = params;
  const shown = addChosen(choices.networks, networks);
  return (
    <FieldGroup legend="Network">
      {shown.map((id) => (
        <Checkbox key={id} name="network" value={id} isChecked={networks.includes(id)} actions={actions}>
          <bdi className="[overflow-wrap:anywhere]">{formatNetwork(id)}</bdi>
        </Checkbox>
      ))}
    </FieldGroup>
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

function OtherFields({ params, ignored, choices, actions }: Omit<FiltersProps, 'formKey'>) {
  const { host, tag, status } = params;
  const tags = addChosen(choices.tags, tag === null ? [] : [tag]);
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
          options={[['', 'Any tag'], ...tags.map((value) => [value, value] as const)]}
          actions={actions}
        />
      )}
      <SelectField
        label="Listing"
        name="status"
        value={status ?? ''}
        options={[
          ['', 'Listed and delisted'],
          ['listed', 'Listed in a directory'],
          ['delisted', 'Delisted'],
        ]}
        actions={actions}
      />
    </>
  );
}

/** Adds chosen values that the choices do not contain. */
function addChosen(choices: readonly string[], chosen: readonly string[]): readonly string[] {
  return [...choices, ...chosen.filter((value) => !choices.includes(value))];
}
