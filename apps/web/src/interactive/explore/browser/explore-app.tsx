import { useEffect, useState } from 'react';
import { toHostText, toUrlText } from '../../../page-parts/classify-query.ts';
import { SITE_NAME } from '../../../page-parts/create-page-metadata.ts';
import { ExploreView } from '../view/explore-view.tsx';
import type { ExploreActions } from '../view/filter-fields.tsx';
import { RESULT_COUNT_ID } from '../view/result-list.tsx';
import { createDelayedCall } from '../../../page-parts/delayed-call.ts';
import { SearchField } from '../../../page-parts/search-field.tsx';
import {
  type ExploreParams,
  type ParsedParams,
  parseExploreParams,
  toExploreUrl,
} from '../explore-params.ts';
import type { FirstPage } from '../list-endpoints.ts';
import { getExploreTitle } from '../list-filters.ts';
import { Results, useResults } from './results.tsx';

/** Delay between the last choice of the visitor and its effect, in milliseconds. */
const CHOICE_DELAY_MS = 300;

/**
 * Explore page in the browser. The first render is equal to the HTML of the server. After the first render, filters and
 * searches change the page without a page load.
 */
export function ExploreApp({ first }: { readonly first: FirstPage }) {
  const [isReady, setIsReady] = useState(false);
  const [choice] = useState(() => createDelayedCall(CHOICE_DELAY_MS));
  const { params, ignored, formKey, open, openLink } = useUrlParams(first);
  const results = useResults(params, first);
  const commit = (form: HTMLFormElement): void => {
    choice.cancel();
    const next = parseExploreParams(readForm(form));
    // The server finds the page of a URL or of a host, so this search loads a page.
    const isPage = [toUrlText, toHostText].some((read) => read(next.params.text) !== null);
    if (isPage && next.params.text !== params.text) location.assign(toExploreUrl(next.params));
    else open(next);
  };
  const actions: ExploreActions = {
    onCommit: commit,
    onChoose: (form) => {
      choice.schedule(() => {
        commit(form);
      });
    },
    onNavigate: (next: ExploreParams) => {
      choice.cancel();
      openLink({ params: next, ignored: [] });
      // The clicked link may no longer exist, so the focus moves to the result.
      document.getElementById(RESULT_COUNT_ID)?.focus();
    },
  };
  useEffect(() => {
    setIsReady(true);
  }, []);
  const activeActions = isReady ? actions : undefined;
  return (
    <ExploreView
      params={params}
      ignored={ignored}
      result={results.data?.pages[0] ?? first.result}
      searchField={<SearchField key={formKey} query={params.text} />}
      actions={activeActions}
      formKey={formKey}
    >
      <Results params={params} ignored={ignored} results={results} actions={activeActions} />
    </ExploreView>
  );
}

/** Returns the text fields and choices of a form as parameters of a URL. */
function readForm(form: HTMLFormElement): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') search.append(name, value);
  return search;
}

/** Parameters of the URL in the address bar. */
interface UrlParams extends ParsedParams {
  /** React key of the form. A new key makes the form fields show the parameters again. */
  readonly formKey: number;
  /** Opens the page with parameters that the form already shows. */
  readonly open: (next: ParsedParams) => void;
  /** Opens the page with the parameters of a link. The form fields then show these parameters. */
  readonly openLink: (next: ParsedParams) => void;
}

/** Keeps the page parameters equal to the URL parameters, also when the visitor goes back or forward. */
function useUrlParams(first: FirstPage): UrlParams {
  const [parsed, setParsed] = useState<ParsedParams>(first);
  const [formKey, setFormKey] = useState(0);
  useEffect(() => {
    const readUrl = (): void => {
      setParsed(parseExploreParams(new URLSearchParams(location.search)));
      setFormKey((key) => key + 1);
    };
    addEventListener('popstate', readUrl);
    return () => {
      removeEventListener('popstate', readUrl);
    };
  }, []);
  const title = getExploreTitle(parsed.params);
  useEffect(() => {
    document.title = `${title} · ${SITE_NAME}`;
  }, [title]);
  const open = (next: ParsedParams): void => {
    setParsed(next);
    // The URL is read again, because the back button may have changed the URL after the visitor changed the form.
    const current = parseExploreParams(new URLSearchParams(location.search));
    const url = toExploreUrl(next.params);
    if (url !== toExploreUrl(current.params)) history.pushState(null, '', url);
  };
  const openLink = (next: ParsedParams): void => {
    setFormKey((key) => key + 1);
    open(next);
  };
  return { params: parsed.params, ignored: parsed.ignored, formKey, open, openLink };
}
