import { isJsonObject, parseJson } from '@touchstone/common';
import { readChallengeParts, readResponseChallenge } from './challenge.ts';
import type { AllowedPayment } from '../outcome/outcome.ts';
import { PAYMENT_HEADERS, PaymentChecks, type CheckOptions } from './payment-checks.ts';

type Fetch = typeof globalThis.fetch;

/** Creates the function `wrapFetch` of a guard. */
export function createFetchWrapper(options: CheckOptions): (fetch: Fetch) => Fetch {
  return (fetch) => {
    const checks = new PaymentChecks(options);
    return async (input, init) => {
      const url = toRequestUrl(input);
      const payments = readRequestPayments(input, init);
      const allowed = await checkAll(checks, url, payments);
      const response = await fetch(input, init).catch((error: unknown) => {
        if (allowed !== null) options.onResponse(allowed, null);
        throw error;
      });
      const { status, headers } = response;
      if (allowed !== null)
        options.onResponse(allowed, { status, contentLength: headers.get('content-length') });
      if (response.status !== 402 || payments.length > 0 || !checks.isChecked(url, response.url))
        return response;
      try {
        await checks.checkOffers({
          url,
          finalUrl: response.url,
          challenge: await readResponseChallenge(response),
        });
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
 * Checks all payments of a request, and returns the last payment that is not for the service itself.
 *
 * @throws PaymentRefusedError
 */
async function checkAll(
  checks: PaymentChecks,
  url: string,
  payments: readonly string[],
): Promise<AllowedPayment | null> {
  let last: AllowedPayment | null = null;
  for (const payment of payments) last = (await checks.checkPayment(url, payment)) ?? last;
  return last;
}

function toRequestUrl(input: Parameters<Fetch>[0]): string {
  if (typeof input === 'object' && 'url' in input) return input.url;
  // A Request resolves relative URLs in browsers, as `fetch` does.
  return new Request(input).url;
}

/** Returns the payments in the headers of a request. The headers of `init` replace the headers of a Request. */
function readRequestPayments(...[input, init]: Parameters<Fetch>): readonly string[] {
  const own = typeof input === 'object' && 'headers' in input ? input.headers : undefined;
  const headers = new Headers(init?.headers ?? own);
  return PAYMENT_HEADERS.map((name) => headers.get(name)).filter((value) => value !== null);
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
export function createAxiosWrapper(options: CheckOptions): <T extends AxiosLike>(instance: T) => T {
  return (instance) => {
    const checks = new PaymentChecks(options);
    const sent = new WeakMap<object, AllowedPayment>();
    const toUrl = (config: object) => toAbsoluteUrl(instance.getUri(config));
    instance.interceptors.request.use(async (config) => {
      const allowed = await checkAll(checks, toUrl(config), readConfigPayments(config));
      if (allowed !== null) sent.set(config, allowed);
      return config;
    });
    /** Reports the response to a payment. Axios keeps the configuration of a request. */
    const reportResponse = (config: unknown, response: unknown): void => {
      const allowed = isJsonObject(config) ? sent.get(config) : undefined;
      if (allowed === undefined) return;
      const status = read(response, 'status');
      const contentLength = findHeader(read(response, 'headers'), 'content-length');
      options.onResponse(allowed, typeof status === 'number' ? { status, contentLength } : null);
    };
    const checkResponse = async (response: unknown): Promise<void> => {
      const config = read(response, 'config');
      if (!isJsonObject(config) || read(response, 'status') !== 402 || readConfigPayments(config).length > 0)
        return;
      const [url, finalUrl] = [toUrl(config), findFinalUrl(read(response, 'request'))];
      if (!checks.isChecked(url, finalUrl)) return;
      const challenge = readChallengeParts(
        findHeader(read(response, 'headers'), 'payment-required'),
        toJson(read(response, 'data')),
      );
      await checks.checkOffers({ url, finalUrl, challenge });
    };
    instance.interceptors.response.use(
      async (response) => {
        reportResponse(read(response, 'config'), response);
        await checkResponse(response);
        return response;
      },
      async (error) => {
        reportResponse(read(error, 'config'), read(error, 'response'));
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

function readConfigPayments(config: object): readonly string[] {
  const headers = read(config, 'headers');
  return PAYMENT_HEADERS.map((name) => findHeader(headers, name)).filter((value) => value !== null);
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
