import { EmbedderError, MAX_TEXTS_PER_CALL, type Embedder } from '@touchstone/search';
import { isRefusedValue, readPendingTexts, saveEmbeddings, type Db } from '@touchstone/store';
import type { SearchJobContext } from './search-context.ts';

/**
 * Maximum number of new texts per batch. Sixteen texts take up to 5 s on a slow core, so a batch takes at most 20 s and
 * fits into one step of Inngest.
 */
const BATCH_SIZE = 64;
/** Text for a check of the embedder. */
const CHECK_TEXT = 'weather forecast for a city';

type PendingText = Awaited<ReturnType<typeof readPendingTexts>>[number];

interface EmbedContext {
  readonly db: Db;
  readonly embedder: Embedder;
}

export interface EmbeddedBatch {
  readonly embedded: number;
  /** Hashes of the texts that could not be embedded, although the embedder works. */
  readonly refused: readonly string[];
  /** True when more texts may be pending. */
  readonly more: boolean;
  /** Reason why the batch ended early; absent when the embedder worked. */
  readonly failure?: string;
}

/**
 * Embeds pending texts, and saves the vectors after each call of the embedder. A text that the embedder refuses is
 * skipped, so it does not block the other texts. Two runs at the same time embed the same texts and save the same
 * vectors.
 *
 * @param skipped hashes of pending texts that an earlier batch of this run could not embed
 */
export async function embedBatch(
  { db, embedder = null }: Pick<SearchJobContext, 'db' | 'embedder'>,
  skipped: readonly string[],
): Promise<EmbeddedBatch> {
  if (embedder === null) return { embedded: 0, refused: [], more: false };
  const limit = BATCH_SIZE + skipped.length;
  const pending = await readPendingTexts(db, { model: embedder.model, limit });
  const texts = pending.filter(({ textHash }) => !skipped.includes(textHash));
  const refused: string[] = [];
  let embedded = 0;
  try {
    for (let start = 0; start < texts.length; start += MAX_TEXTS_PER_CALL) {
      const some = texts.slice(start, start + MAX_TEXTS_PER_CALL);
      const without = await embedOrCheck({ db, embedder }, some);
      refused.push(...without);
      embedded += some.length - without.length;
    }
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    return { embedded, refused, more: false, failure: error.message };
  }
  return { embedded, refused, more: pending.length === limit };
}

/**
 * Embeds texts in one call. When the call fails and the embedder embeds a text for a check, one of the texts is the
 * cause. Then they are embedded in smaller calls.
 *
 * @returns hashes of refused texts
 * @throws EmbedderError when the embedder does not work
 */
async function embedOrCheck(
  context: EmbedContext,
  texts: readonly PendingText[],
): Promise<readonly string[]> {
  const isSaved = await tryToEmbed(context, texts);
  if (isSaved) return [];
  await context.embedder.embed([CHECK_TEXT]);
  return embedHalves(context, texts);
}

/** Embeds the two halves of texts that were refused together, down to single texts. Returns the refused hashes. */
async function embedHalves(context: EmbedContext, texts: readonly PendingText[]): Promise<readonly string[]> {
  if (texts.length === 1) return texts.map(({ textHash }) => textHash);
  const middle = Math.ceil(texts.length / 2);
  const refused: string[] = [];
  for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
    if (!(await tryToEmbed(context, half))) refused.push(...(await embedHalves(context, half)));
  }
  return refused;
}

/** Embeds and saves texts. Returns false when the embedder or the database refuses one of them. */
async function tryToEmbed({ db, embedder }: EmbedContext, texts: readonly PendingText[]): Promise<boolean> {
  try {
    const vectors = await embedder.embed(texts.map(({ text }) => text));
    const embeddings = texts.map(({ textHash }, index) => ({ textHash, embedding: vectors[index] ?? [] }));
    await saveEmbeddings(db, { model: embedder.model, embeddings });
    return true;
  } catch (error) {
    if (error instanceof EmbedderError || isRefusedValue(error)) return false;
    throw error;
  }
}
