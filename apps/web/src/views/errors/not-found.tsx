import { ErrorPage } from './error-page.tsx';

/** Not-found page of all unknown URLs. */
export function NotFound() {
  return (
    <ErrorPage status={404} title="Page not found">
      There is no page at this address. An endpoint has a page if a public directory lists it or if somebody
      bought a report on it.
    </ErrorPage>
  );
}
