import { isJsonObject, parseJson } from '@touchstone/common';
import { readChallengeParts, readResponseChallenge } from './challenge.ts';
import { isDelivery, type ResponseFacts } from '../outcome/outcome.ts';
import type { AllowedPayment, PaymentBook } from './payment-book.ts';
import { PAYMENT_HEADERS, PaymentGate, type GateOptions } from './payment-gate.ts';
import { hashBody } from './request-key.ts';
import { watchBody } from './watch-body.ts';

type Fetch = typeof globalThis.fetch;

/** Creates the function `wrapFetch` of a guard. */
export function createFetchWrapper(options: GateOptions): (fetch: Fetch) => Fetch {
  return (fetch) => {
    const gate = new PaymentGate(options);
    return async (input, init) => {
      const url = toRequestUrl(input);
      const method = init?.method ?? (isRequest(input) ? input.method : 'GET');
      const headers = new Headers(init?.headers ?? (isRequest(input) ? input.headers : undefined));
      const payment = findPayment((name) => headers.get(name));
      const allowed =
        payment === null
          ? null
          : await gate.authorize({ url, method, bodySha256: await hashRequest(input, init) }, payment.value);
      const isReplaced = payment !== null && allowed !== null && allowed.header !== payment.value;
      if (isReplaced) headers.set(payment.name, allowed.header);
      const response = await fetch(input, isReplaced ? { ...init, headers } : init).catch(
        (error: unknown) => {
          if (allowed !== null) void gate.record(allowed, null);
          throw error;
        },
      );
      if (allowed !== null) return watchResponse(response, allowed, { gate, book: options.book });
      if (response.status !== 402 || payment !== null || !gate.isChecked(url, response.url)) return response;
      try {
        const challenge = await readResponseChallenge(response);
        await gate.checkOffers({ url, method, finalUrl: response.url, challenge });
      } catch (error) {
        // The caller does not get this response, so the body is cancelled to release the connection.
        void response.body?.cancel().catch(() => undefined);
        throw error;
      }
      return response;
    };
  };
}

/**
 * Records the response to a payment. A response that looks like a delivery is recorded at the end of its body, because the
 * connection can break before.
 */
function watchResponse(
  response: Response,
  allowed: AllowedPayment,
  { gate, book }: { readonly gate: PaymentGate; readonly book: PaymentBook },
): Response {
  const facts = readFacts(response.status, (name) => response.headers.get(name));
  // The body of a `fetch` function other than the standard one can be a stream of another kind.
  if (!isDelivery(facts) || !(response.body instanceof ReadableStream)) {
    void gate.record(allowed, facts);
    return response;
  }
  const watched = watchBody(response, (end, bytes) => {
    const isEmpty = end === 'complete' && bytes === 0;
    const seen = isEmpty ? { ...facts, contentLength: '0' } : facts;
    void gate.record(allowed, end === 'broken' ? null : seen);
    book.forgetBody(watched.finish);
  });
  book.rememberBody(watched.finish);
  return watched.response;
}

type ReadHeader = (name: string) => string | null;

/**
 * Finds the payment of a request. Two payments in one request count as one unreadable payment, because only one of them
 * would be checked.
 */
function findPayment(read: ReadHeader): { readonly name: string; readonly value: string } | null {
  const found = PAYMENT_HEADERS.flatMap((name) => {
    const value = read(name);
    return value === null ? [] : [{ name, value }];
  });
  const [first] = found;
  if (first === undefined) return null;
  return found.length === 1 ? first : { ...first, value: '' };
}

function readFacts(status: number, read: ReadHeader): ResponseFacts {
  return {
    status,
    contentLength: read('content-length'),
    paymentResponse: read('payment-response') ?? read('x-payment-response'),
  };
}

function isRequest(input: Parameters<Fetch>[0]): input is Request {
  return typeof input === 'object' && 'url' in input;
}

/** Returns the SHA-256 of the body of a request; null for a body that can be read only once. */
async function hashRequest(
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
): Promise<string | null> {
  if (init?.body !== undefined) return hashBody(init.body);
  if (!isRequest(input) || input.body === null) return hashBody(null);
  return hashBody(await input.clone().arrayBuffer());
}

function toRequestUrl(input: Parameters<Fetch>[0]): string {
  if (isRequest(input)) return input.url;
  // A Request resolves relative URLs in browsers, as `fetch` does.
  return new Request(input).url;
}

/** The part of an axios instance that the guard uses. */
export interface AxiosLike {
  readonly getUri: (config: object) => string;
  readonly interceptors: {
    readonly request: {
      readonly use: (onFulfilled: <Config extends object>(config: Config) => Promise<Config>) => unknown;
    };
    readonly response: {
      readonly use: (
        onFulfilled: <Response extends object>(response: Response) => Promise<Response>,
        onRejected: (error: unknown) => Promise<never>,
      ) => unknown;
    };
  };
}

/** Creates the function `wrapAxios` of a guard. */
export function createAxiosWrapper(options: GateOptions): <T extends AxiosLike>(instance: T) => T {
  return (instance) => {
    const gate = new PaymentGate(options);
    const sent = new WeakMap<object, AllowedPayment>();
    const toUrl = (config: object) => toAbsoluteUrl(instance.getUri(config));
    instance.interceptors.request.use(async (config) => {
      const payment = findConfigPayment(config);
      if (payment === null) return config;
      const body = read(config, 'data');
      const bodySha256 = await hashBody(isPlainObject(body) ? JSON.stringify(body) : body);
      const request = { url: toUrl(config), method: toMethod(config), bodySha256 };
      const allowed = await gate.authorize(request, payment.value);
      if (allowed === null) return config;
      sent.set(config, allowed);
      if (allowed.header !== payment.value) setHeader(read(config, 'headers'), payment.name, allowed.header);
      return config;
    });
    /** Records the response to a payment. Axios keeps the configuration of a request. */
    const recordResponse = (config: unknown, response: unknown): void => {
      const allowed = isJsonObject(config) ? sent.get(config) : undefined;
      if (allowed === undefined) return;
      const status = read(response, 'status');
      const headers = read(response, 'headers');
      const isReceived = typeof status === 'number';
      void gate.record(allowed, isReceived ? readFacts(status, (name) => findHeader(headers, name)) : null);
    };
    const checkResponse = async (response: unknown): Promise<void> => {
      const config = read(response, 'config');
      if (!isJsonObject(config) || read(response, 'status') !== 402 || findConfigPayment(config) !== null)
        return;
      const [url, finalUrl] = [toUrl(config), findFinalUrl(read(response, 'request'))];
      if (!gate.isChecked(url, finalUrl)) return;
      const challenge = readChallengeParts(
        findHeader(read(response, 'headers'), 'payment-required'),
        toJson(read(response, 'data')),
      );
      await gate.checkOffers({ url, method: toMethod(config), finalUrl, challenge });
    };
    instance.interceptors.response.use(
      async (response) => {
        recordResponse(read(response, 'config'), response);
        await checkResponse(response);
        return response;
      },
      async (error) => {
        recordResponse(read(error, 'config'), read(error, 'response'));
        await checkResponse(read(error, 'response'));
        throw error;
      },
    );
    return instance;
  };
}

/** Reads an own or inherited member of an object: requests and responses of axios are instances of classes. */
function read(value: unknown, name: string): unknown {
  return isJsonObject(value) ? Reflect.get(value, name) : undefined;
}

/**
 * Resolves a relative URL in browsers, as axios does. Returns text that is not a URL unchanged; the checks refuse it.
 */
function toAbsoluteUrl(uri: string): string {
  try {
    return new Request(uri).url;
  } catch {
    return uri;
  }
}

function findConfigPayment(config: object): ReturnType<typeof findPayment> {
  const headers = read(config, 'headers');
  return findPayment((name) => findHeader(headers, name));
}

function toMethod(config: object): string {
  const method = read(config, 'method');
  return typeof method === 'string' ? method : 'GET';
}

/** Returns true for data that axios sends as JSON, and not for a form, bytes or a stream. */
function isPlainObject(data: unknown): boolean {
  const prototype: unknown = isJsonObject(data) ? Object.getPrototypeOf(data) : undefined;
  return Array.isArray(data) || prototype === Object.prototype || prototype === null;
}

/** Replaces a header, whatever the case of its name. */
function setHeader(headers: unknown, name: string, value: string): void {
  if (!isJsonObject(headers)) return;
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name) ?? name;
  Reflect.set(headers, key, value);
}

/**
 * Finds a header by its name in lower case. Returns null for a header without a value. A value of an unexpected type
 * becomes a text that the checks refuse.
 */
function findHeader(headers: unknown, name: string): string | null {
  const found = Object.entries(isJsonObject(headers) ? headers : {}).find(
    ([key]) => key.toLowerCase() === name,
  );
  const value: unknown = found?.[1] ?? false;
  if (value === false || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns the URL after redirects, from an XMLHttpRequest in browsers or from a request of Node.js; empty text for an
 * unknown URL.
 */
function findFinalUrl(request: unknown): string {
  const url = read(request, 'responseURL') ?? read(read(request, 'res'), 'responseUrl');
  return typeof url === 'string' ? url : '';
}

/** Returns the parsed body. Axios parses JSON unless the request sets another type of response. */
function toJson(data: unknown): unknown {
  return typeof data === 'string' ? parseJson(data) : data;
}
