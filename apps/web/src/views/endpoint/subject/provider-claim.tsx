import type { Snapshot } from '@touchstone/store';
import { toPlainText } from '@touchstone/ui';

/** Name and description of the endpoint from its provider, marked as an unverified claim. */
export function ProviderClaim({ snapshot: { serviceName, description } }: { readonly snapshot: Snapshot }) {
  if (serviceName === null && description === null) return null;
  return (
    <section aria-labelledby="claim" className="mt-12 max-w-3xl">
      <h2 id="claim" className="text-2xl font-bold">
        Provider description
      </h2>
      <p className="mt-1 text-sm text-ink-soft">This is an unverified claim by the provider.</p>
      <blockquote className="mt-4 border-l-4 border-line pl-4 [overflow-wrap:anywhere]">
        {serviceName === null ? null : (
          <p className="font-semibold">
            <bdi>{toPlainText(serviceName, 200)}</bdi>
          </p>
        )}
        {description === null ? null : (
          <p>
            <bdi>{toPlainText(description, 2000)}</bdi>
          </p>
        )}
      </blockquote>
    </section>
  );
}
