import { ErrorPage } from './error-page.tsx';

/** Error page that replaces a page that cannot be rendered. */
export function Unavailable() {
  return (
    <ErrorPage status={500} title="This page is temporarily unavailable">
      The service could not read its measurements. This is a fault of the service, not of your request. It
      does not affect the score of any endpoint. Reload the page in a minute.
    </ErrorPage>
  );
}
