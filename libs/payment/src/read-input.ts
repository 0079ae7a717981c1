import { createHash } from 'node:crypto';
import { problemOf, type Problem } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import canonicalize from 'canonicalize';
import type { ZodError } from 'zod';
import type { Sale } from './types.ts';

/** The largest body that is read (64 KiB). */
const BODY_LIMIT = 65_536;
const MOST_ERRORS = 100;
const MESSAGE_LENGTH = 300;

/** A request that can be served, and a hash by which the same one is known again. */
export interface ReadInput<Input> {
  readonly input: Input;
  /** SHA-256 of the operation, its path and the canonical JSON of the input, in hex. */
  readonly requestHash: string;
}

type Reading<T> = { readonly read: T } | { readonly problem: Problem };

const refused = (
  code: 'invalid-request' | 'body-too-large' | 'unsupported-media-type',
  detail: string,
  errors?: NonNullable<Problem['errors']>,
): { problem: Problem } => ({
  problem: problemOf(code, detail, errors ? { errors } : {}),
});

const tooLarge = () => refused('body-too-large', 'The body is larger than 64 KiB.');

/** The body, or null where it is larger than may be; no more of it is read than that. */
const readBytes = async (request: Request): Promise<Buffer | null> => {
  if (Number(request.headers.get('content-length')) > BODY_LIMIT) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = request.body;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > BODY_LIMIT) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const parseJson = (bytes: Buffer): Reading<unknown> => {
  try {
    return { read: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return refused('invalid-request', 'The body is not JSON in UTF-8.');
  }
};

const readJson = async (request: Request): Promise<Reading<unknown>> => {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    const detail = 'Send the body as JSON with Content-Type: application/json.';
    return refused('unsupported-media-type', detail);
  }
  if (!['', 'identity'].includes((request.headers.get('content-encoding') ?? '').trim().toLowerCase())) {
    return refused('unsupported-media-type', 'Send the body without Content-Encoding.');
  }
  const bytes = await readBytes(request);
  return bytes === null ? tooLarge() : parseJson(bytes);
};

const mistakesOf = ({ issues }: ZodError): NonNullable<Problem['errors']> =>
  issues.slice(0, MOST_ERRORS).map(({ path, message }) => ({
    path: cleanText(path.join('.'), MESSAGE_LENGTH) ?? '',
    message: cleanText(message, MESSAGE_LENGTH) ?? 'is not valid',
  }));

/** Null where a text holds half a surrogate pair, which has no canonical form. */
const hashOf = (...parts: readonly unknown[]): string | null => {
  try {
    return createHash('sha256')
      .update(canonicalize(parts) ?? '')
      .digest('hex');
  } catch {
    return null;
  }
};

/**
 * Reads and validates the body of a request.
 * @param path that was asked for
 * @returns a problem where it is not as the operation has it
 */
export const readInput = async <Input>(
  request: Request,
  path: string,
  { operation, input: schema }: Pick<Sale<Input>, 'operation' | 'input'>,
): Promise<Reading<ReadInput<Input>>> => {
  const json = operation.requestBody === null ? { read: {} } : await readJson(request);
  if ('problem' in json) return json;
  const parsed = schema.safeParse(json.read);
  if (!parsed.success) {
    const detail = 'The body does not match the schema of the operation.';
    return refused('invalid-request', detail, mistakesOf(parsed.error));
  }
  const requestHash = hashOf(operation.method, path, parsed.data);
  if (requestHash === null) {
    return refused('invalid-request', 'A text of the body is not well-formed Unicode.');
  }
  return { read: { input: parsed.data, requestHash } };
};
