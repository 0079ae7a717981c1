import { useEffect, useEffectEvent, useState } from 'react';
import type { Choices } from '../choices.ts';
import { formatExploreParams, parseExploreParams, type ExploreParams } from '../explore-params.ts';
import type { FirstPage } from '../first-page.ts';
import { ExploreView, type ExploreActions } from '../../views/explore/explore-view.tsx';
import { RESULT_COUNT_ID } from '../../views/explore/result-list.tsx';
import { createDelayedCall } from './delayed-call.ts';
import { ExploreField } from './explore-field.tsx';
import { Results } from './results.tsx';
import { useUrlParams } from './use-url-params.ts';

/** Time without another choice after which choices are applied, in milliseconds. */
const CHOICE_DELAY_MS = 300;

/**
 * Explore page in the browser. The first render is equal to the HTML of the server. Then filters and searches change
 * the page without loading it.
 */
export function ExploreApp({ first, choices }: { readonly first: FirstPage; readonly choices: Choices }) {
  const [isReady, setIsReady] = useState(false);
  const [choice] = useState(() => createDelayedCall(CHOICE_DELAY_MS));
  const { params, ignored, formKey, openLink, openForm } = useUrlParams(first);
  const commit = (form: HTMLFormElement, field: string | null): void => {
    choice.cancel();
    openForm(parseExploreParams(readForm(form)), field);
  };
  const actions: ExploreActions = {
    onCommit: commit,
    onChoose: (form, field) => {
      choice.schedule(() => {
        commit(form, field);
      });
    },
    onNavigate: (next: ExploreParams) => {
      choice.cancel();
      openLink({ params: next, ignored: [] });
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
    if (formatExploreParams(early) !== formatExploreParams(params)) actions.onCommit(form, null);
  });
  useEffect(() => {
    setIsReady(true);
    applyEarlyChanges();
  }, []);
  const activeActions = isReady ? actions : undefined;
  return (
    <ExploreView
      params={params}
      ignored={ignored}
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
