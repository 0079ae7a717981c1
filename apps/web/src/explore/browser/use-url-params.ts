import { useEffect, useRef, useState } from 'react';
import { parseExploreParams, toExploreUrl, type ParsedParams } from '../explore-params.ts';
import type { FirstPage } from '../first-page.ts';
import { SITE_NAME } from '../../seo/create-page-metadata.ts';
import { getExploreTitle } from '../page-text.ts';

/** Parameters of the URL in the address bar. */
export interface UrlParams extends ParsedParams {
  /** Changes when the fields of the form must show the parameters again. */
  readonly formKey: number;
  /** Opens parameters that a link has. The fields of the form show them. */
  readonly openLink: (next: ParsedParams) => void;
  /**
   * Opens parameters that the form has. Several changes of one field are one entry of the browser history.
   *
   * @param field Name of the changed field; null for the button and the Enter key.
   */
  readonly openForm: (next: ParsedParams, field: string | null) => void;
}

/** Keeps the parameters of the page and its URL equal, also when the visitor goes back or forward. */
export function useUrlParams(first: FirstPage): UrlParams {
  const [parsed, setParsed] = useState<ParsedParams>(first);
  const [formKey, setFormKey] = useState(0);
  /** Field whose change created the current entry of the history; null for another reason. */
  const lastField = useRef<string | null>(null);
  useEffect(() => {
    const readUrl = (): void => {
      lastField.current = null;
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
  const openForm = (next: ParsedParams, field: string | null): void => {
    setParsed(next);
    // The URL is read again, because the back button may have changed it since the visitor changed the form.
    const current = parseExploreParams(new URLSearchParams(location.search));
    const url = toExploreUrl(next.params);
    const isSameField = field !== null && field === lastField.current;
    lastField.current = field;
    if (url === toExploreUrl(current.params)) return;
    if (isSameField) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
  };
  const openLink = (next: ParsedParams): void => {
    setFormKey((key) => key + 1);
    openForm(next, null);
  };
  return { params: parsed.params, ignored: parsed.ignored, formKey, openLink, openForm };
}
