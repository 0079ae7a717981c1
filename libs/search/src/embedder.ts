import { createHash } from 'node:crypto';
import { JOB_TABLE } from './jobs/job-table.ts';

/**
 * Id of the vector space: model, version of the mean vector, factor, and hash of the table of jobs. Vectors and jobs of
 * different ids are not comparable.
 */
export const EMBEDDING_MODEL = `gte-small/mean-v1/0.5/${createHash('sha256').update(JOB_TABLE).digest('hex').slice(0, 8)}`;

/** Length of each vector. */
export const EMBEDDING_DIMENSIONS = 384;

/** Maximum number of texts per call of an embedder. */
export const MAX_TEXTS_PER_CALL = 16;

/** Vector of the text of an endpoint, and the job that the text describes. */
export interface EmbeddedText {
  readonly embedding: readonly number[];
  /** Id of the job; null if the text describes no job that other endpoints do. */
  readonly job: string | null;
}

/** Converts texts to mean-centred unit vectors of one vector space. */
export interface Embedder {
  /** Id of the vector space. */
  readonly model: string;
  /**
   * Embeds texts. The vectors have the order of the texts.
   *
   * @param texts at most {@link MAX_TEXTS_PER_CALL} texts; each is cut at 512 tokens
   * @throws EmbedderError when the embedder does not respond, or its vectors are not of the expected vector space
   */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
  /**
   * Embeds texts of endpoints like `embed`, and selects their jobs. The first call also embeds the phrases of all jobs.
   *
   * @throws EmbedderError like `embed`
   */
  embedEndpoints(texts: readonly string[]): Promise<readonly EmbeddedText[]>;
  /**
   * Embeds a fixed text and compares its vector with the recorded vector.
   *
   * @throws EmbedderError like `embed`
   */
  check(): Promise<void>;
}

/** Error of an embedder that does not respond, or whose vectors are not of the expected vector space. */
export class EmbedderError extends Error {
  /** True when the embedder did not respond in time. The same texts may exceed the timeout again. */
  readonly isTimeout: boolean;

  constructor(
    message: string,
    { isTimeout = false, ...options }: ErrorOptions & { isTimeout?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'EmbedderError';
    this.isTimeout = isTimeout;
  }
}
