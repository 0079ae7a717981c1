import { createHmac } from 'node:crypto';
import { NextRequest } from 'next/server';

/** URL of the route of Inngest. */
export const ADDRESS = 'https://touchstone.example.com/api/inngest';

/** Creates the signature header of a text. */
export function createSignature(text: string, key: string) {
  const seconds = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', key).update(`${text}${seconds}`).digest('hex');
  return { 'x-inngest-signature': `t=${seconds}&s=${digest}` };
}

/**
 * Creates a signed request. Inngest signs canonical JSON. The bodies in this file are already canonical: they have
 * sorted members and no spaces.
 */
export function createRequest(method: string, body: object | null, key: string | null): NextRequest {
  const text = body === null ? '' : JSON.stringify(body);
  return new NextRequest(ADDRESS, {
    method,
    ...(body === null ? {} : { body: text }),
    headers: { 'content-type': 'application/json', ...(key === null ? {} : createSignature(text, key)) },
  });
}

/** Creates a signature header of the given age. The format of the header is right, but the signature is wrong. */
export function createForgedHeader(ageMs = 0) {
  return {
    'x-inngest-signature': `t=${Math.floor((Date.now() - ageMs) / 1000)}&s=${'0'.repeat(64)}`,
  };
}

/**
 * Creates a request with a wrong signature. Its body is an array of empty objects, because such an array is slow to
 * parse and sign.
 */
export function createForgedRequest(
  bytes: number,
  headers: Readonly<Record<string, string>> = {},
): NextRequest {
  const body = `[${'{},'.repeat(Math.floor(bytes / 3) - 1)}{}]`;
  return new NextRequest(ADDRESS, { method: 'POST', body, headers: { ...createForgedHeader(), ...headers } });
}

interface Upload {
  readonly request: NextRequest;
  /** Number of bytes of the body that were read. */
  readonly countRead: () => number;
}

/** Creates a request whose body is read in chunks of 1 MiB. */
export function createUpload(headers: Readonly<Record<string, string>>, chunks: number): Upload {
  let read = 0;
  const chunk = new Uint8Array(1024 * 1024).fill(32);
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (read / chunk.length === chunks) {
      controller.close();
    } else {
      read += chunk.length;
      controller.enqueue(chunk);
    }
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  const request = new NextRequest(`${ADDRESS}?fnId=touchstone-probe&stepId=step`, {
    method: 'POST',
    duplex: 'half',
    ...{ headers, body },
  });
  return { request, countRead: () => read };
}

/** Creates a forged request. Its body has some chunks of 1 MiB, and then does not end until the test calls `end`. */
export function createStalledUpload(chunks: number) {
  const { promise: hasStalled, resolve: stall } = Promise.withResolvers<undefined>();
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const chunk = new Uint8Array(1024 * 1024).fill(32);
  let sent = 0;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    sent += 1;
    if (sent <= chunks) {
      controller.enqueue(chunk);
      return;
    }
    stall(undefined);
    await ended;
    controller.close();
  };
  const body = new ReadableStream({ pull, cancel: () => stall(undefined) }, { highWaterMark: 0 });
  const headers = createForgedHeader();
  const request = new NextRequest(ADDRESS, { method: 'POST', duplex: 'half', ...{ headers, body } });
  return { request, hasStalled, end: () => end(undefined) };
}
