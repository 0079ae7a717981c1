import {
  parseItems,
  probeOffsetSeconds,
  readDirectory,
  type CatalogListing,
  type DirectoryPlace,
  type DirectoryRead,
} from '@touchstone/catalog';
import {
  finishDiscovery,
  recordListings,
  startDiscovery,
  type DiscoveryEnd,
  type DiscoveryRun,
  type ListedEndpoint,
} from '@touchstone/store';
import pLimit from 'p-limit';
import { DAY_MS, PROBE_INTERVAL_SECONDS, type PipelineContext } from './context.ts';
import { toPayOn } from './terms.ts';

/** Rejected items that are kept with their reasons, of each page. */
const KEPT_REJECTS = 500;
/** Directories that are read at the same time. */
const DIRECTORIES_AT_ONCE = 4;
/** However long a directory wants to be left alone, it is asked again after a day. */
const LONGEST_WAIT_MS = DAY_MS;

export interface DirectoryReport {
  readonly directory: string;
  readonly url: string;
  readonly complete: boolean;
  /** The reading is not over: the next one goes on where it was interrupted. */
  readonly paused: boolean;
  /** The directory could not be reached, which may be the fault of our own network. */
  readonly unreached: boolean;
  readonly items: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejects: readonly { readonly resource: string; readonly reason: string }[];
  readonly listed: number;
  readonly relisted: number;
  readonly delisted: number;
  readonly note: string | null;
}

/** How much of a directory is read in one go. */
export interface Sitting {
  /** Pages; all of them unless given. */
  readonly pages?: number;
  readonly signal?: AbortSignal;
  /** Waits so many milliseconds between two requests for the same page; the real time unless given. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

type Directory = PipelineContext['directories'][number];

/**
 * Reads every directory once, or goes on where that was interrupted. One that cannot be read does not keep the others
 * from being read. The counts of a report are those of the whole reading, earlier sittings included.
 */
export async function discover(
  context: PipelineContext,
  sitting: Sitting = {},
): Promise<{ directories: readonly DirectoryReport[] }> {
  const some = pLimit(DIRECTORIES_AT_ONCE);
  const readings = context.directories.map((directory) =>
    some(() => discoverDirectory(context, directory, sitting)),
  );
  // Each of them ends before a failure of the database is passed on, so that none writes behind the caller's back.
  await Promise.allSettled(readings);
  return { directories: await Promise.all(readings) };
}

/** Reads one directory, or goes on with it, as far as the sitting goes; `paused` says that there is more to read. */
export async function discoverDirectory(
  context: PipelineContext,
  directory: Directory,
  sitting: Sitting = {},
): Promise<DirectoryReport> {
  const run = await startDiscovery(context.db, directory.name, context.now());
  if (run.resumeAt !== null && run.resumeAt > context.now())
    return report(directory, run, { unreached: false });
  const read = await readPages(context, { directory, run, sitting });
  const ended = await finishDiscovery(context.db, { id: run.id, at: context.now() }, endOf(read, context));
  return report(directory, ended, read);
}

interface Reading {
  readonly directory: Directory;
  readonly run: DiscoveryRun;
  readonly sitting: Sitting;
}

function readPages(context: PipelineContext, { directory, run, sitting }: Reading): Promise<DirectoryRead> {
  let offset = run.place?.offset ?? 0;
  return readDirectory({
    url: directory.url,
    fetch: context.fetch,
    pageSize: directory.pageSize,
    from: run.place ?? undefined,
    userAgent: context.userAgent,
    signal: sitting.signal,
    sleep: sitting.sleep,
    limits: sitting.pages === undefined ? undefined : { sittingPages: sitting.pages },
    onPage: async (items, next) => {
      await recordPage(context, run, { items, offset, next });
      ({ offset } = next);
    },
  });
}

interface Page {
  readonly items: readonly unknown[];
  readonly offset: number;
  readonly next: DirectoryPlace;
}

async function recordPage(
  context: PipelineContext,
  run: DiscoveryRun,
  { items, offset, next }: Page,
): Promise<void> {
  const { accepted, duplicates, rejects } = parseItems(items);
  await recordListings(
    context.db,
    { id: run.id, at: context.now() },
    {
      offset,
      next,
      items: items.length,
      duplicates,
      rejected: rejects.length,
      rejects: rejects.slice(0, KEPT_REJECTS),
      endpoints: accepted.map((listing) => toEndpoint(context, listing)),
    },
  );
}

function endOf(read: DirectoryRead, context: PipelineContext): DiscoveryEnd {
  const { complete, next, reason: note, waitMs } = read;
  if (next === null) return { end: complete ? 'complete' : 'incomplete', note };
  const resumeAt = waitMs === null ? null : context.now() + Math.min(waitMs, LONGEST_WAIT_MS);
  return { end: 'paused', note, resumeAt };
}

function report(
  { name, url }: Directory,
  run: DiscoveryRun,
  { unreached }: Pick<DirectoryRead, 'unreached'>,
): DirectoryReport {
  const { complete, note, items, accepted, duplicates, rejected, rejects, listed, relisted, delisted } = run;
  const counts = { items, accepted, duplicates, rejected, rejects, listed, relisted, delisted };
  return { directory: name, url, complete, paused: run.finishedAt === null, unreached, ...counts, note };
}

function toEndpoint(context: PipelineContext, listing: CatalogListing): ListedEndpoint {
  return {
    id: listing.id,
    resource: listing.resource,
    probeUrl: listing.probeUrl,
    host: listing.host,
    slug: listing.slug,
    templated: listing.templated,
    serviceName: listing.serviceName,
    description: listing.description,
    method: listing.method,
    options: listing.options.map(toPayOn),
    version: listing.version,
    intervalSeconds: PROBE_INTERVAL_SECONDS,
    offsetSeconds: probeOffsetSeconds(listing.id, PROBE_INTERVAL_SECONDS),
    scheduled: listing.probeUrl !== null && listing.host.endsWith(context.hostSuffix ?? ''),
  };
}
