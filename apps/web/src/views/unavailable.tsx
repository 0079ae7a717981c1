import { PageFrame } from '@touchstone/ui';

/** Stands in for a page that could not be made. */
export function Unavailable() {
  return (
    <PageFrame>
      <div className="max-w-2xl space-y-4 py-8">
        <h1 className="text-3xl font-bold text-balance sm:text-4xl">This page cannot be shown right now</h1>
        <p className="text-lg text-ink-soft">
          The measurements behind it could not be read. Nothing you did caused this, and no endpoint’s score
          is affected by it.
        </p>
        <p>
          Reload in a minute, or go to <a href="/">the overview</a>.
        </p>
      </div>
    </PageFrame>
  );
}
