import type { Snapshot } from '@touchstone/store';
import { ResourceText, toWebLink } from '@touchstone/ui';
import { formatListing } from './listing-text.ts';

/**
 * URL, HTTP method and directories of the endpoint. The URL is untrusted, so the link has `nofollow`, and only an
 * http(s) URL is linked.
 */
export function ResourceHeading({ snapshot }: { readonly snapshot: Snapshot }) {
  const { resource, method, templated } = snapshot;
  const link = templated ? null : toWebLink(resource);
  return (
    <div className="mt-4">
      <h1 className="text-xl leading-snug font-semibold sm:text-2xl">
        <ResourceText resource={resource} />
      </h1>
      <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-ink-soft">
        {method === null ? null : <span>HTTP method: {method}</span>}
        <span>{formatListing(snapshot)}</span>
        {link === null ? null : (
          <a href={link} rel="nofollow ugc noopener">
            Open the endpoint
          </a>
        )}
      </p>
    </div>
  );
}
