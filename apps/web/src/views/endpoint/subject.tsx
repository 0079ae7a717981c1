import { formatDay } from '@touchstone/common';
import type { Snapshot } from '@touchstone/store';
import { Age, ResourceText, Timestamp, toPlainText, toWebLink } from '@touchstone/ui';
import type { ReactNode } from 'react';

/** URL of the endpoint, which is untrusted text. */
export function ResourceHeading({ snapshot: { resource } }: { readonly snapshot: Snapshot }) {
  return (
    <h1 className="mt-1 text-base leading-snug font-semibold sm:mt-2 sm:text-2xl">
      <ResourceText resource={resource} />
    </h1>
  );
}

/** Maximum length of a description above the verdict, in characters: three lines on a phone with the name. */
const MAX_OPEN_DESCRIPTION = 100;
/** Maximum length of a description in the section that can be opened, in characters. */
const MAX_DESCRIPTION = 2000;

/** Name and description of the endpoint from its provider, marked as an unverified claim. */
export function ProviderClaim({ snapshot: { serviceName, description } }: { readonly snapshot: Snapshot }) {
  if (serviceName === null && description === null) return null;
  const head = toPlainText(description ?? '', MAX_OPEN_DESCRIPTION);
  return (
    <p className="mt-1 max-w-4xl text-sm [overflow-wrap:anywhere]">
      <span className="text-ink-soft">Unverified claim by the provider: </span>
      {serviceName === null ? null : (
        <strong>
          <bdi>{toPlainText(serviceName, 100)}</bdi>
          {head === '' ? '' : '. '}
        </strong>
      )}
      <bdi>{head}</bdi>
    </p>
  );
}

/** Whole description of the endpoint, in a section that can be opened. A short description is left out. */
function WholeDescription({ snapshot: { description } }: { readonly snapshot: Snapshot }) {
  const text = toPlainText(description ?? '', MAX_DESCRIPTION);
  if (text === toPlainText(text, MAX_OPEN_DESCRIPTION)) return null;
  return (
    <details className="max-w-4xl open:basis-full [overflow-wrap:anywhere]">
      <summary className="cursor-pointer py-0.5">Whole description by the provider</summary>
      <bdi className="text-ink">{text}</bdi>
    </details>
  );
}

/** Listing, HTTP method and age of the snapshot, with the link to the endpoint. */
export function SubjectLine({ snapshot }: { readonly snapshot: Snapshot }) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-6 text-sm text-ink-soft">
      <ListingNotice snapshot={snapshot} />
      <WholeDescription snapshot={snapshot} />
      <SnapshotLine snapshot={snapshot} />
    </div>
  );
}

/** The URL is untrusted, so its link has `nofollow`, and only an http(s) URL is linked. */
function SnapshotLine({ snapshot }: { readonly snapshot: Snapshot }) {
  const { resource, method, templated, computedAt } = snapshot;
  const link = templated ? null : toWebLink(resource);
  const isListed = snapshot.listingSource === 'directory' && snapshot.listingStatus === 'listed';
  return (
    <div className="flex flex-wrap gap-x-6">
      <p className="flex flex-wrap gap-x-6">
        {method === null ? null : <span>HTTP method: {method}</span>}
        {isListed ? <span>{formatListing(snapshot)}</span> : null}
        {link === null ? null : (
          <a href={link} rel="nofollow ugc noopener">
            Open the endpoint
          </a>
        )}
      </p>
      {/* A script changes the length of the age, so the age is the last part of the row and moves nothing. */}
      <dl className="flex flex-wrap gap-x-2 max-lg:basis-full">
        <dt>Snapshot computed</dt>
        <dd>
          <Timestamp iso={computedAt} />
          {' · '}
          <Age iso={computedAt} />
        </dd>
      </dl>
    </div>
  );
}

/** Remark on an endpoint that is adopted or delisted. */
function ListingNotice({ snapshot }: { readonly snapshot: Snapshot }) {
  const { listingSource, listingStatus } = snapshot;
  if (listingSource === 'adopted')
    return (
      <Remark title={formatListing(snapshot)}>
        No directory lists this endpoint. It was added by a paid report.
      </Remark>
    );
  if (listingStatus !== 'delisted') return null;
  return (
    <Remark title={formatListing(snapshot)}>
      This endpoint left every directory that listed it. It is still probed and scored.
    </Remark>
  );
}

function Remark({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <p className="border-l-4 border-warn pl-3">
      <strong className="text-ink">{title}</strong> {children}
    </p>
  );
}

/**
 * Formats the listing of an endpoint with the names of its public directories. An endpoint can be listed without a name,
 * because a snapshot does not always contain the names.
 */
export function formatListing({ listingSource, listingStatus, delistedAt, directories }: Snapshot): string {
  if (listingSource === 'adopted') return 'Not listed';
  if (listingStatus === 'delisted')
    return delistedAt === null ? 'Delisted' : `Delisted on ${formatDay(delistedAt)}`;
  return directories.length === 0 ? 'Listed in a public directory' : `Listed in ${directories.join(', ')}`;
}
