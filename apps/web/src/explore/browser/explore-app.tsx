import { useEffect, useEffectEvent, useState } from 'react';
import type { Choices } from '../choices.ts';
import { formatExploreParams, parseExploreParams, type ExploreParams } from '../explore-params.ts';
import type { FirstPage } from '../first-page.ts';
import { ExploreView, type ExploreActions } from '../../views/explore/explore-view.tsx';
import { RESULT_COUNT_ID } from '../../views/explore/result-list.tsx';
import { ExploreField } from './explore-field.tsx';
import { Results } from './results.tsx';
import { useUrlParams } from './use-url-params.ts';

/**
 * Explore page in the browser. The first render is equal to the HTML of the server. Then filters and searches change
 * the page without loading it.
 */
export function ExploreApp({ first, choices }: { readonly first: FirstPage; readonly choices: Choices }) {
  const [isReady, setIsReady] = useState(false);
  const { params, ignored, formKey, open } = useUrlParams(first);
  const actions: ExploreActions = {
    onCommit: (form) => {
      open(parseExploreParams(readForm(form)), false);
    },
    onNavigate: (next: ExploreParams) => {
      open({ params: next, ignored: [] }, true);
      // The clicked link may be gone, so the focus moves to the result.
      document.getElementById(RESULT_COUNT_ID)?.focus();
    },
  };
  // The visitor can change filters before this script runs. A text needs the button or the Enter key.
  const applyEarlyChanges = useEffectEvent(() => {
    const form = document.querySelector<HTMLFormElement>('#explore-root form');
    if (!form) return;
    const parsed = parseExploreParams(readForm(form));
    const early = { ...parsed.params, text: params.text, sort: params.sort, after: params.after };
    if (formatExploreParams(early) !== formatExploreParams(params)) actions.onCommit(form);
  });
  useEffect(() => {
    setIsReady(true);
    applyEarlyChanges();
  }, []);
  const activeActions = isReady ? actions : undefined;
  return (
    <ExploreView
      params={params}
      choices={choices}
      searchField={<ExploreField key={formKey} text={params.text} />}
      actions={activeActions}
      formKey={formKey}
    >
      <Results params={params} ignored={ignored} first={first} actions={activeActions} />
    </ExploreView>
  );
}

/** Returns the text fields and choices of a form as parameters of a URL. */
function readForm(form: HTMLFormElement): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') search.append(name, value);
  return search;
}
