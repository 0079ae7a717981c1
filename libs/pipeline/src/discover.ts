import { parseItems, probeOffsetSeconds, readDirectory, type CatalogListing } from '@touchstone/catalog';
import { finishDiscovery, recordListings, startDiscovery, type ListedEndpoint } from '@touchstone/store';
import { PROBE_INTERVAL_SECONDS, type PipelineContext } from './context.ts';
import { toPayOn } from './terms.ts';

/** Rejected items that are kept with their reasons, of each run. */
const KEPT_REJECTS = 500;

export interface DirectoryReport {
  readonly directory: string;
  readonly url: string;
  readonly complete: boolean;
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

/** Reads every directory once. One that cannot be read does not keep the others from being read. */
export async function discover(
  context: PipelineContext,
): Promise<{ directories: readonly DirectoryReport[] }> {
  const directories: DirectoryReport[] = [];
  for (const directory of context.directories) directories.push(await discoverOne(context, directory));
  return { directories };
}

type Directory = PipelineContext['directories'][number];

async function discoverOne(context: PipelineContext, { name, url }: Directory): Promise<DirectoryReport> {
  const at = context.now();
  const run = { id: await startDiscovery(context.db, name, at), at };
  const seen = new Set<string>();
  const counts = { items: 0, accepted: 0, duplicates: 0, rejected: 0 };
  const rejects: { resource: string; reason: string }[] = [];
  const recorded = { listed: 0, relisted: 0 };

  const read = await readDirectory({
    url,
    fetch: context.fetch,
    onPage: async (items) => {
      const page = parseItems(items);
      const fresh = page.accepted.filter((listing) => !seen.has(listing.id));
      for (const listing of fresh) seen.add(listing.id);
      counts.items += items.length;
      counts.accepted += fresh.length;
      counts.duplicates += page.duplicates + page.accepted.length - fresh.length;
      counts.rejected += page.rejects.length;
      rejects.push(...page.rejects.slice(0, KEPT_REJECTS - rejects.length));
      const added = await recordListings(
        context.db,
        run,
        fresh.map((listing) => toEndpoint(context, listing)),
      );
      recorded.listed += added.listed;
      recorded.relisted += added.relisted;
    },
  });

  const finished = await finishDiscovery(
    context.db,
    { ...run, complete: read.complete },
    { ...counts, rejects, note: read.reason },
  );
  return { directory: name, url, ...counts, rejects, ...recorded, ...finished };
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
