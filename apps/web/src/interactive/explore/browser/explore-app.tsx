import { type ComponentType, useEffect, useState } from 'react';
import { type FieldState, loadAtFocus, readField } from '../../search-box/field-state.ts';
import { SITE_NAME } from '../../../page-parts/create-page-metadata.ts';
import { ExploreView } from '../view/explore-view.tsx';
import type { ExploreActions } from '../view/filter-fields.tsx';
import { RESULT_COUNT_ID } from '../view/result-list.tsx';
import { createDelayedCall } from '../../../page-parts/delayed-call.ts';
import { SearchField } from '../../../page-parts/search-field.tsx';
import type { Choices } from '../choices.ts';
import {
  type ExploreParams,
  type ParsedParams,
  parseExploreParams,
  toExploreUrl,
} from '../explore-params.ts';
import type { FirstPage } from '../view/explore.tsx';
import { getExploreTitle } from '../list-filters.ts';
import { Results } from './results.tsx';

/** Time without another choice after which choices are applied, in milliseconds. */
const CHOICE_DELAY_MS = 300;

/**
 * Explore page in the browser. The first render is equal to the HTML of the server. Then filters and searches change
 * the page without loading it.
 */
export function ExploreApp({ first, choices }: { readonly first: FirstPage; readonly choices: Choices }) {
  const [isReady, setIsReady] = useState(false);
  const [choice] = useState(() => createDelayedCall(CHOICE_DELAY_MS));
  const { params, ignored, formKey, open, openLink } = useUrlParams(first);
  const commit = (form: HTMLFormElement): void => {
    choice.cancel();
    open(parseExploreParams(readForm(form)));
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
      // The clicked link may be gone, so the focus moves to the result.
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

interface LoadedBox {
  readonly SearchBox: ComponentType<{ readonly initial: FieldState }>;
  readonly initial: FieldState;
}

/** Search field of the explore page. It gets suggestions when the visitor uses it. */
function ExploreField({ text }: { readonly text: string }) {
  const [box, setBox] = useState<LoadedBox | null>(null);
  useEffect(() => {
    const field = document.querySelector<HTMLInputElement>('#explore-root input[name="q"]');
    if (!field) return;
    loadAtFocus(
      field,
      () => import('../../search-box/search-box.tsx'),
      ({ SearchBox }) => {
        setBox({ SearchBox, initial: readField(field) });
      },
    );
  }, []);
  return box === null ? <SearchField query={text} /> : <box.SearchBox initial={box.initial} />;
}

/** Parameters of the URL in the address bar. */
interface UrlParams extends ParsedParams {
  /** Changes when the fields of the form must show the parameters again. */
  readonly formKey: number;
  /** Opens parameters that the form shows. */
  readonly open: (next: ParsedParams) => void;
  /** Opens parameters that a link has. The fields of the form then show them. */
  readonly openLink: (next: ParsedParams) => void;
}

/** Keeps the parameters of the page and its URL equal, also when the visitor goes back or forward. */
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
    // The URL is read again, because the back button may have changed it since the visitor changed the form.
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
