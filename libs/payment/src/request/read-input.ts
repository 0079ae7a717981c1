import { createHash } from 'node:crypto';
import { BodyTooLargeError, hasMoreValues, parseJson, readBoundedBytes } from '@touchstone/common';
import {
  createDuplicateProblem,
  createProblem,
  createValidationProblem,
  findUnknownParameters,
  MAX_BODY_BYTES,
  MAX_BODY_VALUES,
  type Problem,
  type ProblemCode,
  readQuery,
} from '@touchstone/contract';
import { decodePercent } from '@touchstone/x402/json';
import { findDuplicateMember } from '@touchstone/x402/strict-json';
import canonicalize from 'canonicalize';
import type { PaidOperation } from '../types.ts';

export interface ReadInput<Input> {
  readonly input: Input;
  /**
   * SHA-256 of the operation, its path and the canonical JSON of the input, in hex. Equal requests have equal hashes.
   */
  readonly requestHash: string;
}

/** Value that was read from a request, or the problem of the request. */
export type Reading<T> = { readonly read: T } | { readonly problem: Problem };

const reject = (code: ProblemCode, detail: string): { readonly problem: Problem } => ({
  problem: createProblem(code, detail),
});

async function readBytes(request: Request): Promise<Reading<Uint8Array>> {
  const tooLarge = () => reject('body-too-large', 'The request body is larger than 64 KiB.');
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return tooLarge();
  try {
    return { read: await readBoundedBytes(request.body, MAX_BODY_BYTES) };
  } catch (error) {
    if (error instanceof BodyTooLargeError) return tooLarge();
    throw error;
  }
}

/**
 * Reads the JSON body of a request. Its bytes and its values are limited. Compressed bodies and members that occur twice
 * are refused.
 */
export async function readJson(request: Request): Promise<Reading<unknown>> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    const detail = 'The request body must be JSON. Send it with Content-Type: application/json.';
    return reject('unsupported-media-type', detail);
  }
  if (!['', 'identity'].includes((request.headers.get('content-encoding') ?? '').trim().toLowerCase())) {
    const detail = 'Compressed request bodies are not supported. Send the body without Content-Encoding.';
    return reject('unsupported-media-type', detail);
  }
  const bytes = await readBytes(request);
  if ('problem' in bytes) return bytes;
  const json = parseJson(bytes.read);
  if (json === undefined) return reject('invalid-request', 'The request body is not valid JSON in UTF-8.');
  if (hasMoreValues(json, MAX_BODY_VALUES)) {
    const detail = `The request body has more than ${MAX_BODY_VALUES} values. Send fewer list items and fields.`;
    return reject('invalid-request', detail);
  }
  const duplicate = findDuplicateMember(new TextDecoder().decode(bytes.read));
  if (duplicate !== null) return { problem: createDuplicateProblem(duplicate) };
  return { read: json };
}

/**
 * Returns the SHA-256 of the canonical JSON. Returns null if a string contains a lone surrogate, because such a string
 * has no canonical form.
 */
function hashRequest(...parts: readonly unknown[]): string | null {
  try {
    return createHash('sha256')
      .update(canonicalize(parts) ?? '')
      .digest('hex');
  } catch {
    return null;
  }
}

/** Returns the values of the variable parts of a path by name. `template` has the names in braces. */
export function readPathParameters(template: string, path: string): Readonly<Record<string, string>> {
  const segments = path.split('/');
  const parameters = template.split('/').flatMap((part, index) => {
    const [, name] = /^\{(.+)\}$/.exec(part) ?? [];
    const segment = segments[index] ?? '';
    // The schema of the parameter refuses a segment that is not encoded correctly.
    return name === undefined ? [] : [[name, decodePercent(segment) ?? segment] as const];
  });
  return Object.fromEntries(parameters);
}

/**
 * Reads and validates the body, the query parameters and the path parameters of a request.
 * @param path path of the request
 * @returns the input, or the problem of an invalid request
 */
export async function readInput<Input>(
  request: Request,
  path: string,
  { operation, input: schema }: Pick<PaidOperation<Input>, 'operation' | 'input'>,
): Promise<Reading<ReadInput<Input>>> {
  const json = operation.requestBody === null ? { read: {} } : await readJson(request);
  if ('problem' in json) return json;
  const unknown = findUnknownParameters(operation, request.url);
  if (unknown !== null) return { problem: unknown };
  const params = readPathParameters(operation.path, path);
  const parts = { body: json.read, query: readQuery(request.url), params };
  const parsed = schema.safeParse(parts);
  if (!parsed.success) return { problem: createValidationProblem(parsed.error, parts) };
  const requestHash = hashRequest(operation.method, path, parsed.data);
  if (requestHash === null) {
    return reject(
      'invalid-request',
      'A string of the request body contains a lone surrogate, which is not valid Unicode.',
    );
  }
  return { read: { input: parsed.data, requestHash } };
}
