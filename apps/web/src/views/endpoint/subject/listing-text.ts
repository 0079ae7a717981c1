import type { Snapshot } from '@touchstone/store';

type Listing = Pick<Snapshot, 'listingSource' | 'listingStatus' | 'directories'>;

/** Formats the source of an endpoint: the directories that list it, or the paid report that adopted it. */
export function formatListing({ listingSource, listingStatus, directories }: Listing): string {
  if (listingSource === 'adopted') return 'Adopted by a paid report';
  if (listingStatus === 'delisted') return 'Delisted from all public directories';
  return `Listed ${formatDirectories(directories)}`;
}

/**
 * Formats the names of the public directories that list an endpoint. There may be no names, because older versions of
 * the snapshot do not contain them.
 */
export function formatDirectories(directories: readonly string[]): string {
  return directories.length === 0 ? 'in a public directory' : `in ${directories.join(', ')}`;
}
