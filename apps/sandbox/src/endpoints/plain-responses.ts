import type { HttpResponse } from './http-response.ts';
import { createJsonResponse, createTextResponse } from './http-response.ts';
import type { EndpointDefinition } from '../scenario/scenario-schema.ts';

const renderPage = (title: string, text: string): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;

const createHtmlResponse = (status: number, text: string, headers: readonly string[] = []): HttpResponse =>
  createTextResponse(status, { type: 'text/html; charset=utf-8', text, headers });

const SERVER_ERRORS: Readonly<Record<number, string>> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/**
 * Creates the response of a failing server. Status 500 is a JSON error of the application; any other status is an HTML
 * page of a proxy.
 */
export const createServerErrorResponse = (status: number): HttpResponse => {
  const reason = SERVER_ERRORS[status] ?? 'Server Error';
  return status === 500
    ? createJsonResponse(500, { error: reason })
    : createHtmlResponse(
        status,
        renderPage(`${status} ${reason}`, 'The upstream server did not answer this request.'),
      );
};

/** Creates the response for a resource that was removed. */
export const createGoneResponse = (status: 404 | 410): HttpResponse =>
  createJsonResponse(status, { error: status === 410 ? 'This API has been retired' : 'Not Found' });

export const createBotPageResponse = (): HttpResponse =>
  createHtmlResponse(
    403,
    renderPage('Just a moment...', 'Checking that you are not a robot. Enable JavaScript to continue.'),
    ['Cache-Control', 'private, no-store', 'X-Frame-Options', 'SAMEORIGIN'],
  );

export const createRateLimitResponse = (): HttpResponse =>
  createJsonResponse(429, { error: 'Too Many Requests' }, ['Retry-After', '120']);

export const createRedirectResponse = (location: string): HttpResponse =>
  createTextResponse(301, {
    type: 'text/plain; charset=utf-8',
    text: 'Moved Permanently',
    headers: ['Location', location],
  });

/** Creates a 200 response with the endpoint's data. */
export const createDataResponse = (endpoint: EndpointDefinition): HttpResponse =>
  createJsonResponse(200, endpoint.output);

/** Creates an HTML 402 page without a machine-readable challenge. */
export const createPaywallResponse = (endpoint: EndpointDefinition): HttpResponse =>
  createHtmlResponse(
    402,
    renderPage('Payment Required', `${endpoint.service} asks to be paid. Connect your wallet to continue.`),
  );

export const createMethodNotAllowedResponse = (allowed: string): HttpResponse =>
  createJsonResponse(405, { error: 'Method Not Allowed' }, ['Allow', allowed]);

export const createNotFoundResponse = (): HttpResponse => createJsonResponse(404, { error: 'Not Found' });
