/** Id of the vector space: model, version of the mean vector, and factor. Vectors of different ids are not comparable. */
export const EMBEDDING_MODEL = 'gte-small/mean-v1/0.5';

/** Length of each vector. */
export const EMBEDDING_DIMENSIONS = 384;

/** Maximum number of texts per call of an embedder. */
export const MAX_TEXTS_PER_CALL = 16;

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
