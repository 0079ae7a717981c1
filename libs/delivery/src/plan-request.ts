import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import type { ExampleRequest, Json } from '@touchstone/x402';
import { decodePercent } from '@touchstone/x402/json';
import { namesAction } from './action-rules.ts';

/** Endpoint from which a request is planned. All texts are unverified claims of its provider. */
export interface RequestTarget {
  readonly resource: string;
  /** URL to request. */
  readonly url: string;
  /** Declared method; null when unknown. */
  readonly method: string | null;
  readonly serviceName: string | null;
  readonly description: string | null;
  readonly exampleRequest: ExampleRequest | null;
}

/** Request that is safe to make. */
export interface PlannedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** JSON text; null for a GET request. */
  readonly body: string | null;
}

/** Rules that refuse a request, in the order in which they are applied. */
type RefusalRule =
  | 'operator'
  | 'url'
  | 'template'
  | 'method'
  | 'no-example'
  | 'placeholder-example'
  | 'personal-example'
  | 'unreadable-text'
  | 'action-url'
  | 'action-text'
  | 'action-example';

export type RequestPlan =
  | { readonly ok: true; readonly request: PlannedRequest }
  | { readonly ok: false; readonly rule: RefusalRule };

/**
 * Plans the request of a test purchase: GET with the declared example query or without input, or POST with a declared
 * JSON example. Refuses every call that could change something outside of its response, and every example that the seller
 * cannot mean.
 *
 * @param options.skip hosts and URL prefixes from which nothing is bought
 */
export function planRequest(
  target: RequestTarget,
  { skip }: { readonly skip: readonly string[] },
): RequestPlan {
  const found = RULES.find(([, refuses]) => refuses(target, skip));
  if (found !== undefined) return { ok: false, rule: found[0] };
  const request = toRequest(target);
  // A long example query can exceed the maximum length of a URL.
  return request.url.length > MAX_RESOURCE_CHARS ? { ok: false, rule: 'url' } : { ok: true, request };
}

function toRequest({ url: target, method, exampleRequest }: RequestTarget): PlannedRequest {
  const url = new URL(target);
  for (const [name, value] of exampleRequest?.query ?? []) url.searchParams.set(name, value);
  if (method !== 'POST') return { method: 'GET', url: url.href, body: null };
  return { method: 'POST', url: url.href, body: JSON.stringify(exampleRequest?.body?.value) };
}

type Refuses = (target: RequestTarget, skip: readonly string[]) => boolean;

const RULES: readonly (readonly [RefusalRule, Refuses])[] = [
  ['operator', ({ url }, skip) => skip.some((entry) => isSkipped(url, entry))],
  ['url', ({ url }) => !isPlainUrl(url)],
  ['template', ({ resource, url }) => PLACEHOLDER.test(resource) || PLACEHOLDER.test(url)],
  ['method', ({ method }) => method !== null && method !== 'GET' && method !== 'POST'],
  ['no-example', ({ method, exampleRequest }) => !isExampleFor(method, exampleRequest)],
  ['placeholder-example', ({ exampleRequest }) => listValues(exampleRequest).some(isPlaceholder)],
  ['personal-example', ({ exampleRequest }) => listMembers(exampleRequest).some(isPersonal)],
  ['unreadable-text', ({ method, description }) => !isReadable(description ?? '', method)],
  ['action-url', ({ url }) => listSegments(url).some(namesAction)],
  [
    'action-text',
    ({ serviceName, description }) =>
      [serviceName, description].some((text) => text !== null && namesAction(text)),
  ],
  ['action-example', ({ exampleRequest }) => listMembers(exampleRequest).some(isActionMember)],
];

/** Returns true if a URL is on a skipped host or below it, or begins with a skipped URL. */
function isSkipped(url: string, entry: string): boolean {
  if (entry.includes('://')) return url.startsWith(entry);
  const host = URL.parse(url)?.host ?? '';
  return host === entry.toLowerCase() || host.endsWith(`.${entry.toLowerCase()}`);
}

/** Payments are sent over https only. */
function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '';
}

/** Placeholder of a URL template, also with encoded braces. */
const PLACEHOLDER = /[{}]|%7[bd]|\/:[a-z_]|\/\[|<|%3c/i;

function isExampleFor(method: string | null, example: ExampleRequest | null): boolean {
  return method === 'POST' ? example?.body?.type === 'json' : (example?.body ?? null) === null;
}

/** Member of an example at any depth. Elements of lists have the name of the list. */
interface Member {
  readonly name: string;
  readonly value: string;
}

/** Lists the texts, numbers and booleans of an example, which `readExampleRequest` limits to 1,000 characters. */
function listMembers(example: ExampleRequest | null): readonly Member[] {
  const query = (example?.query ?? []).map(([name, value]) => ({ name, value }));
  return [...query, ...listJsonMembers('', example?.body?.value ?? null)];
}

function listJsonMembers(name: string, json: Json): readonly Member[] {
  if (json === null) return [];
  if (typeof json !== 'object') return [{ name, value: String(json) }];
  return Object.entries(json).flatMap(([key, value]: [string, Json]) =>
    listJsonMembers(Array.isArray(json) ? name : key, value),
  );
}

const listValues = (example: ExampleRequest | null): readonly string[] =>
  listMembers(example).map(({ value }) => value);

/** Returns true for a description in place of a value, such as `string`, `<city>` or `0x...`. */
function isPlaceholder(value: string): boolean {
  return (
    /^(?:string|number|integer|boolean|object|array|any|null|undefined|todo|tbd)$/i.test(value) ||
    /\.\.\.|…|^<.*>$|^\[.*\]$|^\{.*\}$|^your\b|\byour[_-]|x{4}|^0x0+$/i.test(value)
  );
}

/** Members with data of a person. */
const PERSONAL_NAMES =
  /^(?:(?:first|last|full|middle|sur|user)_?name|ssn|dob|birth\w*|(?:street|home|postal|shipping|billing)?_?address_?\d?|street|passport\w*|iban|card\w*|cvv|e?-?mail\w*|phone\w*|mobile|msisdn)$/i;

/** Addresses of wallets and contracts, numbers, dates and times. They are not data of a person. */
const IMPERSONAL = /^(?:0x[0-9a-f]{40}|[1-9a-hj-np-z]{32,64}|\d+|\d{4}-\d\d-\d\d.*)$/i;

/** Returns true for data of a person: by its name, or an e-mail address, a telephone number or a social security number. */
function isPersonal({ name, value }: Member): boolean {
  if (IMPERSONAL.test(value)) return false;
  return PERSONAL_NAMES.test(name) || /\S@\S+\.\S/.test(value) || /^\+?\(?\d[\d ()-]{7,}\d$/.test(value);
}

/** English words without which a text is probably not English. */
const ENGLISH = /\b(?:an?|the|of|for|and|or|to|with|from|by|in|on|gets?|returns?|search(?:es)?)\b/i;

/** Returns false for a text that the rules for actions cannot read. A POST needs an English description. */
function isReadable(text: string, method: string | null): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters && (method !== 'POST' || ENGLISH.test(text));
}

/** Members that name the receiver of something, or a secret. */
const RECEIVERS =
  /^(?:to|recipients?|receivers?|destinations?|beneficiary|send_?to|to_?(?:address|email|phone|number)|phone(?:_?number)?|webhook(?:_?url)?|callback(?:_?url)?|target(?:_?url)?|command|cmd|shell|script|code|rps|password|private_?key|seed|mnemonic|signature|signed_?(?:tx|transaction))$/i;
const ACTION_NAMES = /^(?:action|operation|op|command|cmd|intent|task)$/i;
/** Values of `to` that name no receiver: dates, currencies, languages and numbers. */
const HARMLESS_VALUE = /^(?:[a-z]{2,5}(?:-[a-z]{2,4})?|[\d.:TZ/-]{1,24})$/i;

function isActionMember({ name, value }: Member): boolean {
  if (RECEIVERS.test(name)) return name.toLowerCase() !== 'to' || !HARMLESS_VALUE.test(value);
  return ACTION_NAMES.test(name) && namesAction(value);
}

/** Returns the labels of the host of a URL, and the decoded segments of its path, with spaces between their words. */
function listSegments(url: string): readonly string[] {
  const { hostname, pathname } = new URL(url);
  const segments = pathname.split('/').map((segment) => decodePercent(segment) ?? segment);
  return [...hostname.split('.'), ...segments].map((part) => part.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' '));
}
