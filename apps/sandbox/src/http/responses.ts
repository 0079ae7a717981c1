import type { JsonObject } from '../parsing.ts';
import type { EndpointDefinition } from '../scenario/scenario-schema.ts';

export interface HttpResponse {
  readonly status: number;
  /** Header names and values, alternating. Node writes this format fastest. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Creates a response with a text body. `headers` contains additional header names and values, alternating. */
export function createTextResponse(
  status: number,
  { type, text, headers = [] }: { type: string; text: string; headers?: readonly string[] },
): HttpResponse {
  const body = Buffer.from(text);
  return {
    status,
    headers: ['Content-Type', type, ...headers, 'Content-Length', String(body.length), 'Connection', 'close'],
    body,
  };
}

export function createJsonResponse(
  status: number,
  value: JsonObject,
  headers: readonly string[] = [],
): HttpResponse {
  return createTextResponse(status, { type: 'application/json', text: JSON.stringify(value), headers });
}

function renderPage(title: string, text: string): string {
  return `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}

function createHtmlResponse(status: number, text: string, headers: readonly string[] = []): HttpResponse {
  return createTextResponse(status, { type: 'text/html; charset=utf-8', text, headers });
}

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
export function createServerErrorResponse(status: number): HttpResponse {
  const reason = SERVER_ERRORS[status] ?? 'Server Error';
  return status === 500
    ? createJsonResponse(500, { error: reason })
    : createHtmlResponse(
        status,
        renderPage(`${status} ${reason}`, 'The upstream server did not answer this request.'),
      );
}

export function createBotPageResponse(): HttpResponse {
  return createHtmlResponse(
    403,
    renderPage('Just a moment...', 'Checking that you are not a robot. Enable JavaScript to continue.'),
    ['Cache-Control', 'private, no-store', 'X-Frame-Options', 'SAMEORIGIN'],
  );
}

/** Creates an HTML 402 page without a machine-readable challenge. */
export function createPaywallResponse(endpoint: EndpointDefinition): HttpResponse {
  return createHtmlResponse(
    402,
    renderPage('Payment Required', `${endpoint.service} asks to be paid. Connect your wallet to continue.`),
  );
}

export function createMethodNotAllowedResponse(allowed: string): HttpResponse {
  return createJsonResponse(405, { error: 'Method Not Allowed' }, ['Allow', allowed]);
}
