import type { Snapshot } from '@touchstone/store';
import { toPlainText } from '@touchstone/ui';
import { Section } from '../section.tsx';

/** Name and description of the endpoint from its provider, marked as an unverified claim. */
export function ProviderClaim({ snapshot: { serviceName, description } }: { readonly snapshot: Snapshot }) {
  if (serviceName === null && description === null) return null;
  return (
    <Section id="claim" title="Provider description">
      <p className="text-sm text-ink-soft">This is an unverified claim by the provider.</p>
      <blockquote className="mt-3 max-w-3xl border-l-4 border-line pl-4 [overflow-wrap:anywhere]">
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
    </Section>
  );
}
