import { ErrorPage } from './error-page.tsx';

/** Page of all endpoints that were removed from the catalog. */
export function Gone() {
  return (
    <ErrorPage status={410} title="This endpoint was removed">
      Touchstone no longer monitors this endpoint and has no current score of it. Search for another endpoint,
      or for another URL of the same host.
    </ErrorPage>
  );
}
