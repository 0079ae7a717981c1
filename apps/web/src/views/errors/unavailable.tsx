import { PageFrame } from '@touchstone/ui';

/** Error page that replaces a page that cannot be rendered. */
export function Unavailable() {
  return (
    <PageFrame>
      <div className="max-w-2xl space-y-4 py-8">
        <h1 className="text-3xl font-bold text-balance sm:text-4xl">This page is temporarily unavailable</h1>
        <p className="text-lg text-ink-soft">
          The service could not read its measurements. This is a fault of the service, not of your request. It
          does not affect the score of any endpoint.
        </p>
        <p>
          Reload the page in a minute, or go to <a href="/">the overview</a>.
        </p>
      </div>
    </PageFrame>
  );
}
