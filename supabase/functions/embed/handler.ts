import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Options of the request handler that embeds texts. The edge function and the local embedder process use the same
 * handler, so both have the same wire format and limits. An edge function can import only files of its own folder, so
 * the handler is in this folder.
 */
export interface EmbedHandlerOptions {
  /** Returns the gte-small vector of a text, normalized to the length 1. The text is cut at 512 tokens. */
  readonly embed: (text: string) => Promise<readonly number[]>;
  /** Keys of the callers. Without keys, all requests are refused. */
  readonly keys: readonly string[];
}

const MAX_BODY_BYTES = 256 * 1024;
const MAX_TEXTS = 16;
const MAX_TEXT_CHARACTERS = 4_000;

/** Error of a request. Its message is sent to the caller. */
class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Creates the handler of `POST {texts}`. It responds with `{model, vectors}`, or with `{error}` and a status from 400.
 *
 * The texts of a request are embedded one after the other. Concurrent requests therefore alternate after each text, and
 * a search query does not wait for all documents of another request. When the caller closes the connection, the
 * remaining texts are not embedded.
 */
export function createEmbedHandler({
  embed,
  keys,
}: EmbedHandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      if (request.method !== 'POST')
        throw new RequestError(405, `${request.method} is not allowed. Use POST.`);
      if (!isAuthorized(request.headers, keys))
        throw new RequestError(401, 'The key is missing or wrong. Send a secret key in the header apikey.');
      const vectors: (readonly number[])[] = [];
      for (const text of parseTexts(await readBody(request))) {
        // 499 is the customary status for this case. No caller receives it.
        if (request.signal.aborted) throw new RequestError(499, 'The caller closed the connection.');
        vectors.push(await embed(text));
      }
      return Response.json({ model: 'gte-small', vectors });
    } catch (error) {
      if (error instanceof RequestError)
        return Response.json({ error: error.message }, { status: error.status });
      // The reason is only logged, and not sent to the caller.
      console.error(error);
      return Response.json({ error: 'The texts could not be embedded.' }, { status: 500 });
    }
  };
}

/**
 * Returns true when the header `apikey` or the bearer token is one of the keys. Secret keys of the form `sb_secret_…`
 * are not JWTs, so the gateway cannot check them.
 */
function isAuthorized(headers: Headers, keys: readonly string[]): boolean {
  const bearer = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  return [headers.get('apikey') ?? '', bearer]
    .flatMap((received) => keys.map((key) => isEqual(received, key)))
    .includes(true);
}

/** Compares two texts in constant time. The comparison needs texts of the same length, so it compares hashes. */
function isEqual(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return other !== '' && timingSafeEqual(hash(one), hash(other));
}

async function readBody(request: Request): Promise<unknown> {
  // In the types of Node, chunks have the type `any`. The chunks of a request body are bytes.
  const chunks: AsyncIterable<Uint8Array> | null = request.body;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunks ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES)
      throw new RequestError(413, `The body must have at most ${String(MAX_BODY_BYTES)} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    throw new RequestError(400, 'The body must be JSON.');
  }
}

function parseTexts(body: unknown): readonly string[] {
  const texts: unknown = typeof body === 'object' && body !== null && 'texts' in body ? body.texts : null;
  if (!isTextList(texts))
    throw new RequestError(
      400,
      `texts must be a list of at most ${String(MAX_TEXTS)} texts with at most ${String(MAX_TEXT_CHARACTERS)} characters each.`,
    );
  return texts;
}

function isTextList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_TEXTS &&
    value.every((text) => typeof text === 'string' && text.length <= MAX_TEXT_CHARACTERS)
  );
}

/**
 * Returns the secret keys in the environment of an edge function: the keys in `SUPABASE_SECRET_KEYS`, a JSON object
 * with the keys by name, and the legacy key of the role `service_role`.
 *
 * @param read returns the value of an environment variable
 */
export function readSecretKeys(read: (name: string) => string | undefined): readonly string[] {
  const legacy = read('SUPABASE_SERVICE_ROLE_KEY') ?? '';
  const named: unknown = JSON.parse(read('SUPABASE_SECRET_KEYS') || '{}');
  const values: unknown[] = typeof named === 'object' && named !== null ? Object.values(named) : [];
  return [...values, legacy].filter((key) => typeof key === 'string').filter((key) => key !== '');
}
