import { useEffect, useState } from 'react';
import {
  formatExploreParams,
  parseExploreParams,
  toExploreUrl,
  type ParsedParams,
} from '../explore-params.ts';
import type { FirstPage } from '../first-page.ts';
import { SITE_NAME } from '../../seo/create-page-metadata.ts';
import { getExploreTitle } from '../page-text.ts';

/** Parameters of the URL in the address bar. */
export interface UrlParams extends ParsedParams {
  /** Changes when the fields of the form must show the parameters again. */
  readonly formKey: number;
  /** Opens parameters as a new entry of the browser history. `resetsForm` is false if the form has the values already. */
  readonly open: (next: ParsedParams, resetsForm: boolean) => void;
}

/** Keeps the parameters of the page and its URL equal, also when the visitor goes back or forward. */
export function useUrlParams(first: FirstPage): UrlParams {
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
  const open = (next: ParsedParams, resetsForm: boolean): void => {
    setParsed(next);
    if (resetsForm) setFormKey((key) => key + 1);
    if (formatExploreParams(next.params) !== formatExploreParams(parsed.params))
      history.pushState(null, '', toExploreUrl(next.params));
  };
  return { params: parsed.params, ignored: parsed.ignored, formKey, open };
}
