import type { SearchSuggestions } from '../trpc/explore-router.ts';

/** Time without typing after which suggestions are requested, in milliseconds. */
const DEBOUNCE_MS = 150;

/** Function that requests suggestions for a text. */
export type RequestSuggestions = (text: string, signal: AbortSignal) => Promise<SearchSuggestions>;

/**
 * Requests suggestions for a text after a pause, and passes them to `show`. A failed request shows nothing, because the
 * search works without suggestions.
 *
 * @returns Function that cancels the request. After it, `show` is not called.
 */
export function loadSuggestions(
  text: string,
  request: RequestSuggestions,
  show: (suggestions: SearchSuggestions | null) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => {
    request(text, signal).then(
      (suggestions) => {
        if (!signal.aborted) show(suggestions);
      },
      () => {
        if (!signal.aborted) show(null);
      },
    );
  }, DEBOUNCE_MS);
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
