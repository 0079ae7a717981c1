import { countAlternatives } from '@touchstone/store';
import { SNAPSHOT_MAX_AGE_SECONDS } from '../context.ts';
import { addCounts } from '../add-counts.ts';
import { runBatches } from '../steps.ts';
import { toPageTags } from '../pages.ts';
import { embedBatch } from './embed-batch.ts';
import { getModel, type SearchJobContext } from './search-context.ts';

/**
 * Maximum number of batches of texts per run: 50 batches of 64 texts are 3,200 texts. The next run embeds the remaining
 * texts.
 */
const MAX_EMBED_BATCHES = 50;
/**
 * Maximum number of counting batches per run. 30 batches of 50 endpoints count the better alternatives of 1,500
 * endpoints per minute. One million endpoints with one count per day need 694 counts per minute; the remaining counts
 * are for endpoints whose score changed.
 */
const MAX_COUNT_BATCHES = 30;

/** Number of endpoints per batch. The embedded database cannot serve pages during a batch, so a batch is short. */
const COUNT_BATCH_SIZE = 50;

export interface SearchSummary {
  /** Number of texts that were embedded. */
  readonly embedded: number;
  /**
   * Number of texts that could not be embedded, although the embedder works. Refused texts are tried again after 24
   * hours.
   */
  readonly refused: number;
  /**
   * Hash of the first refused text; absent when no text was refused. The operator can find the text in the database by
   * this hash.
   */
  readonly firstRefused?: string;
  /**
   * Number of endpoints whose better alternatives were counted. `changed` is the number of endpoints whose count
   * changed.
   */
  readonly counted: number;
  readonly changed: number;
  /** Reason why the embedder did not work; absent when the embedder worked. The next run tries again. */
  readonly failure?: string;
}

interface CountedBatch {
  readonly counted: number;
  /** Number of counted endpoints whose count changed. */
  readonly changed: number;
}

/**
 * Embeds pending texts, and then counts the better alternatives of endpoints whose count is missing or older than 24
 * hours. The pages of endpoints with a changed count are refreshed. Each run is limited to 80 batches; the next run
 * continues. While more texts are pending than one run embeds, nothing is counted: the counts would be too low, and
 * each count stays for a day.
 *
 * Without a working embedder, only stored vectors are compared.
 *
 * @throws StoreError when the database fails
 */
export async function refreshSearch(context: SearchJobContext): Promise<SearchSummary> {
  const embedded = await runBatches(context, {
    name: 'embed batch',
    max: MAX_EMBED_BATCHES,
    run: () => embedBatch(context),
    isLast: ({ more, failure }) => !more || failure !== undefined,
  });
  const last = embedded.at(-1);
  const refused = embedded.flatMap((batch) => batch.refused);
  const [firstRefused] = refused;
  const counted = await runBatches(context, {
    name: 'count batch',
    max: last?.more === true ? 0 : MAX_COUNT_BATCHES,
    run: () => countBatch(context),
    isLast: (batch) => batch.counted < COUNT_BATCH_SIZE,
  });
  return {
    embedded: embedded.reduce((sum, batch) => sum + batch.embedded, 0),
    refused: refused.length,
    ...(firstRefused === undefined ? {} : { firstRefused }),
    ...(last?.failure === undefined ? {} : { failure: last.failure }),
    ...counted.reduce((sum, batch) => addCounts(sum, batch), { counted: 0, changed: 0 }),
  };
}

/**
 * Counts the better alternatives of endpoints whose count is missing or older than a day, and refreshes the pages whose
 * count changed. Stored vectors are compared, so no embedder is needed.
 */
async function countBatch({ db, embedder = null, now, onChanged }: SearchJobContext): Promise<CountedBatch> {
  const { counted, changed } = await countAlternatives(db, {
    now: now(),
    model: getModel({ embedder }),
    maxAgeSeconds: SNAPSHOT_MAX_AGE_SECONDS,
    limit: COUNT_BATCH_SIZE,
  });
  // The page of a provider does not show the counts.
  if (changed.length > 0) await onChanged(toPageTags({ endpointIds: changed, hosts: [] }));
  return { counted, changed: changed.length };
}
