import type { ReactNode } from 'react';
import type { ExploreParams } from '../explore-params.ts';
import type { ExploreResult } from '../list-endpoints.ts';
import type { ExploreActions } from './filter-fields.tsx';
import { Filters } from './filters.tsx';

interface ExploreViewProps {
  readonly params: ExploreParams;
  /** Invalid values of the URL or of the form. The page ignores these values. */
  readonly ignored: readonly string[];
  /** First page of the endpoints that match. */
  readonly result: ExploreResult;
  readonly searchField: ReactNode;
  readonly actions?: ExploreActions | undefined;
  /** React key of the form. A new key makes the form fields show `params` again. */
  readonly formKey?: number;
  readonly children: ReactNode;
}

/** Search field, filters and results of the explore page, on the server and in the browser. */
export function ExploreView({
  params,
  ignored,
  result,
  searchField,
  actions,
  formKey = 0,
  children,
}: ExploreViewProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-6 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-y-10">
      <form
        action="/explore"
        method="get"
        role="search"
        // Browsers must not restore fields of an earlier visit, because the fields show the parameters of the URL.
        autoComplete="off"
        className="contents"
        onSubmit={
          actions === undefined
            ? undefined
            : (event) => {
                event.preventDefault();
                actions.onCommit(event.currentTarget);
              }
        }
      >
        <div className="max-w-2xl lg:col-span-2">{searchField}</div>
        <Filters formKey={formKey} params={params} ignored={ignored} result={result} actions={actions} />
      </form>
      <section aria-label="Search result" className="min-w-0">
        {children}
      </section>
    </div>
  );
}
