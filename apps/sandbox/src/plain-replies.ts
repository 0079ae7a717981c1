import type { HttpReply } from './http-reply.ts';
import { jsonReply, textReply } from './http-reply.ts';
import type { Endpoint } from './scenario-schema.ts';

const page = (title: string, text: string): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;

const html = (status: number, text: string, headers: readonly string[] = []): HttpReply =>
  textReply(status, { type: 'text/html; charset=utf-8', text, headers });

const SERVER_ERRORS: Readonly<Record<number, string>> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** A failing server: the application's own JSON for 500, a proxy's page for the rest. */
export const serverErrorReply = (status: number): HttpReply => {
  const reason = SERVER_ERRORS[status] ?? 'Server Error';
  return status === 500
    ? jsonReply(500, { error: reason })
    : html(status, page(`${status} ${reason}`, 'The upstream server did not answer this request.'));
};

/** A path that is not there, or no longer. */
export const goneReply = (status: 404 | 410): HttpReply =>
  jsonReply(status, { error: status === 410 ? 'This API has been retired' : 'Not Found' });

export const botPageReply = (): HttpReply =>
  html(403, page('Just a moment...', 'Checking that you are not a robot. Enable JavaScript to continue.'), [
    'Cache-Control',
    'private, no-store',
    'X-Frame-Options',
    'SAMEORIGIN',
  ]);

export const rateLimitReply = (): HttpReply =>
  jsonReply(429, { error: 'Too Many Requests' }, ['Retry-After', '120']);

export const redirectReply = (location: string): HttpReply =>
  textReply(301, {
    type: 'text/plain; charset=utf-8',
    text: 'Moved Permanently',
    headers: ['Location', location],
  });

/** The data itself, to anyone who asks. */
export const dataReply = (endpoint: Endpoint): HttpReply => jsonReply(200, endpoint.output);

/** What a browser would be shown: a 402 without a challenge that a program could read. */
export const paywallReply = (endpoint: Endpoint): HttpReply =>
  html(
    402,
    page('Payment Required', `${endpoint.service} asks to be paid. Connect your wallet to continue.`),
  );

export const methodMismatchReply = (allowed: string): HttpReply =>
  jsonReply(405, { error: 'Method Not Allowed' }, ['Allow', allowed]);

export const unknownPathReply = (): HttpReply => jsonReply(404, { error: 'Not Found' });
