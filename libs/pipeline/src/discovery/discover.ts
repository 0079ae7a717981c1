import {
  parseItems,
  computeProbeOffsetSeconds,
  readDirectory,
  type CatalogListing,
  type DirectoryReadResult,
} from '@touchstone/catalog';
import { DAY_MS } from '@touchstone/common';
import {
  finishDiscovery,
  recordListings,
  startDiscovery,
  type DiscoveryEnd,
  type DiscoveryRun,
  type ListedEndpoint,
} from '@touchstone/store';
import pLimit from 'p-limit';
import { PROBE_INTERVAL_SECONDS, type PipelineContext } from '../context.ts';
import { toPayOn } from '../payment-terms.ts';

/** Maximum number of rejected items per page that are stored with their reasons. */
const MAX_STORED_REJECTS = 500;
/** Maximum number of directories read at the same time. */
export const MAX_CONCURRENT_DIRECTORIES = 4;
/**
 * Maximum pause before a directory is read again, in milliseconds. A longer `Retry-After` is shortened to this maximum.
 */
const MAX_PAUSE_MS = DAY_MS;

type RunCount = 'items' | 'accepted' | 'duplicates' | 'rejected' | 'listed' | 'relisted' | 'delisted';

/**
 * Result of reading a directory. When several runs each read a part of the directory, the counts cover all parts so
 * far.
 */
export interface DirectoryReading extends Readonly<
  Pick<DiscoveryRun, RunCount | 'complete' | 'rejects' | 'note'>
> {
  readonly directory: string;
  readonly url: string;
  /** True when the reading is not finished. The next run resumes the reading. */
  readonly paused: boolean;
  /** True when the directory could not be reached. Our own network may be the cause. */
  readonly unreached: boolean;
}

export interface DiscoverOptions {
  /** Maximum number of pages to read per directory; no limit by default. */
  readonly maxPages?: number;
  readonly signal?: AbortSignal;
  /** Waits the given milliseconds before a page is requested again; by default with a real timer. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

type Directory = PipelineContext['directories'][number];

/**
 * Reads all directories. Interrupted readings are resumed. A directory that cannot be read does not stop the reading of
 * other directories.
 */
export async function discover(
  context: PipelineContext,
  options: DiscoverOptions = {},
): Promise<{ directories: readonly DirectoryReading[] }> {
  const limit = pLimit(MAX_CONCURRENT_DIRECTORIES);
  const readings = context.directories.map((directory) =>
    limit(() => discoverDirectory(context, directory, options)),
  );
  // A database error is thrown only after all readings have ended, so that no reading writes after this function has
  // returned.
  await Promise.allSettled(readings);
  return { directories: await Promise.all(readings) };
}

/** Reads one directory, or resumes an interrupted reading. The result is `paused` when some pages are not read yet. */
export async function discoverDirectory(
  context: PipelineContext,
  directory: Directory,
  options: DiscoverOptions = {},
): Promise<DirectoryReading> {
  const run = await startDiscovery(context.db, directory.name, context.now());
  if (run.resumeAt !== null && run.resumeAt > context.now())
    return toReading(directory, run, { unreached: false });
  const read = await readPages(context, directory, { run, options });
  const end = toDiscoveryEnd(read, context.now());
  const ended = await finishDiscovery(context.db, { id: run.id, at: context.now() }, end);
  return toReading(directory, ended, read);
}

/** Reads the pages of a directory from the position of the run, and records each page. */
function readPages(
  context: PipelineContext,
  directory: Directory,
  { run, options }: { readonly run: DiscoveryRun; readonly options: DiscoverOptions },
): Promise<DirectoryReadResult> {
  let offset = run.position?.offset ?? 0;
  return readDirectory({
    url: directory.url,
    fetch: context.fetch,
    pageSize: directory.pageSize,
    resumeFrom: run.position ?? undefined,
    userAgent: context.userAgent,
    signal: options.signal,
    sleep: options.sleep,
    limits: options.maxPages === undefined ? undefined : { maxRunPages: options.maxPages },
    onPage: async (items, next) => {
      const { accepted, duplicates, rejects } = parseItems(items);
      const page = {
        ...{ offset, next, duplicates },
        items: items.length,
        rejected: rejects.length,
        rejects: rejects.slice(0, MAX_STORED_REJECTS),
        endpoints: accepted.map((listing) => toEndpoint(context, listing)),
      };
      await recordListings(context.db, { id: run.id, at: context.now() }, page);
      ({ offset } = next);
    },
  });
}

function toDiscoveryEnd(read: DirectoryReadResult, now: number): DiscoveryEnd {
  const { complete, next, reason: note, waitMs } = read;
  if (next === null) return { end: complete ? 'complete' : 'incomplete', note };
  const resumeAt = waitMs === null ? null : now + Math.min(waitMs, MAX_PAUSE_MS);
  return { end: 'paused', note, resumeAt };
}

function toReading(
  { name, url }: Directory,
  run: DiscoveryRun,
  { unreached }: Pick<DirectoryReadResult, 'unreached'>,
): DirectoryReading {
  const { complete, note, items, accepted, duplicates, rejected, rejects, listed, relisted, delisted } = run;
  const counts = { items, accepted, duplicates, rejected, rejects, listed, relisted, delisted };
  return { directory: name, url, complete, paused: run.finishedAt === null, unreached, ...counts, note };
}

function toEndpoint(context: PipelineContext, listing: CatalogListing): ListedEndpoint {
  return {
    ...listing,
    options: listing.options.map(toPayOn),
    intervalSeconds: PROBE_INTERVAL_SECONDS,
    offsetSeconds: computeProbeOffsetSeconds(listing.id, PROBE_INTERVAL_SECONDS),
    scheduled: listing.probeUrl !== null && listing.host.endsWith(context.hostSuffix ?? ''),
  };
}
