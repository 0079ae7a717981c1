import { formatDay } from '@touchstone/common';
import type { Snapshot } from '@touchstone/store';
import { Notice, ResourceText, toPlainText, toWebLink } from '@touchstone/ui';
import { Section } from './section.tsx';

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

/**
 * Notices for an endpoint that is adopted, delisted or a URL template. The notices explain the
 * figures below.
 */
export function EndpointNotices({ snapshot }: { readonly snapshot: Snapshot }) {
  const { listingSource, listingStatus, delistedAt, templated, probes30d } = snapshot;
  return (
    <div className="mt-6 space-y-3 empty:hidden">
      {listingSource === 'adopted' ? (
        <Notice title="Not listed">No directory lists this endpoint. It was added by a paid report.</Notice>
      ) : listingStatus === 'delisted' ? (
        <Notice title={delistedAt === null ? 'Delisted' : `Delisted on ${formatDay(delistedAt)}`}>
          This endpoint left every directory that listed it. It is still probed and scored.
        </Notice>
      ) : null}
      {templated ? (
        <Notice title="This URL is a template">
          Replace each placeholder with a real value before you pay. Price and payTo address may vary by item.
          {probes30d === 0
            ? null
            : ' The measurements are of the URL with example values. Changes of price or payTo do not lower the score.'}
        </Notice>
      ) : null}
    </div>
  );
}

type Listing = Pick<Snapshot, 'listingSource' | 'listingStatus' | 'directories'>;

/** Formats the source of an endpoint: the directories that list it, or the paid report that adopted it. */
function formatListing({ listingSource, listingStatus, directories }: Listing): string {
  if (listingSource === 'adopted') return 'Adopted by a paid report';
  if (listingStatus === 'delisted') return 'Delisted from all public directories';
  return `Listed ${formatDirectories(directories)}`;
}

/**
 * Formats the names of the public directories that list an endpoint. An endpoint can be listed without a name,
 * because a snapshot does not always contain the names.
 */
export function formatDirectories(directories: readonly string[]): string {
  return directories.length === 0 ? 'in a public directory' : `in ${directories.join(', ')}`;
}
