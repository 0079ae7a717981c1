import { getHeaderValues, isJsonObject, parseJson } from '@touchstone/common';
import { MAX_EXCERPT_CHARS, type EndpointCheck } from '@touchstone/contract/operations/check/response';
import { readBody, readHeader, type ChallengeResponse, type Check } from '@touchstone/x402';
import { readMember } from '@touchstone/x402/json';
import { quoteText } from './cut-text.ts';

type Evidence = NonNullable<EndpointCheck['faults'][number]['evidence']>;

/** JSON document of a response, such as the decoded header. */
interface Document {
  readonly place: string;
  readonly json: unknown;
}

const TERMS_HEADER = 'payment-required';
const TERMS_PLACE = 'header PAYMENT-REQUIRED';

/** Headers that rules judge, by rule. The first header that the response has is quoted. */
const HEADERS_BY_RULE: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['http-no-redirect', ['location']],
  ['http-cache-control', ['cache-control']],
  ['http-v1-content-type', ['content-type']],
  ['http-cors-expose', ['access-control-expose-headers', 'access-control-allow-origin']],
  ['dialect-other', ['www-authenticate']],
  ...['v2-header-single', 'v2-base64-standard', 'http-challenge-size'].map((id): [string, string[]] => [
    id,
    [TERMS_HEADER],
  ]),
]);

const STATUS_RULES: ReadonlySet<string> = new Set(['http-status-402', 'http-not-5xx']);
const BODY_RULES: ReadonlySet<string> = new Set([
  ...['envelope-present', 'http-body-complete', 'v1-body-json'],
  ...['mixed-v2-in-body-only', 'mixed-v2-body-mirror'],
]);
/** Rules that read the decoded text of the header, whether the text is JSON or not. */
const DECODED_RULES: ReadonlySet<string> = new Set(['v2-json', 'v2-json-strict', 'v2-json-unique-keys']);

/** Names of the rules about the payment terms, of which a member is quoted. */
const TERM_RULES = /^(v1|v2|dual|mixed|ext|bazaar|facilitator|client)-|^(siwx|payment-id|builder-code)/;
/** Rules that fail because a part of the response is missing. */
const ABSENCE_RULES: ReadonlySet<string> = new Set(['v2-header-present', 'bazaar-present']);

/** Members that rules compare between header and body. Without a path in the message, these paths are quoted. */
const PATH_BY_RULE: ReadonlyMap<string, string> = new Map([
  ['dual-payto', 'accepts[0].payTo'],
  ['dual-amount', 'accepts[0].amount'],
  ['dual-network', 'accepts[0].network'],
  ['dual-asset', 'accepts[0].asset'],
  ['mixed-v1-in-header', 'x402Version'],
]);

/**
 * Creates a function that quotes the part of a response that breaks a rule. The function returns null if the fault is an
 * absence, or if the response does not show the fault.
 */
export function createEvidenceFinder(response: ChallengeResponse): (check: Check) => Evidence | null {
  const { headers, body, status } = response;
  const header = readHeader(getHeaderValues(headers, TERMS_HEADER));
  const decoded = header.state === 'absent' ? null : header.text;
  const read = readBody(body, response.bodyEnd ?? 'complete');
  const inBody: Document | null = read.state === 'read' ? { place: 'body', json: read.json } : null;
  const inHeader: Document | null =
    header.state === 'read' ? { place: TERMS_PLACE, json: parseJson(header.text) } : null;

  const quoteHeader = (names: readonly string[]): Evidence | null => {
    const name = names.find((each) => getHeaderValues(headers, each).length > 0);
    if (name === undefined) return null;
    const place = `header ${name === TERMS_HEADER ? 'PAYMENT-REQUIRED' : name}`;
    return toEvidence(place, getHeaderValues(headers, name).join(', '));
  };

  return ({ id, message }) => {
    const misnamed = /header (?:named )?([\w-]+);/.exec(message)?.[1];
    if (id === 'v2-header-name' && misnamed !== undefined) return quoteHeader([misnamed.toLowerCase()]);
    const names = HEADERS_BY_RULE.get(id);
    if (names !== undefined) return quoteHeader(names);
    if (STATUS_RULES.has(id)) return toEvidence('status line', `HTTP ${String(status)}`);
    if (BODY_RULES.has(id)) return body === null || body === '' ? null : toEvidence('body', body);
    if (DECODED_RULES.has(id)) return decoded === null ? null : toEvidence(TERMS_PLACE, decoded);
    if (!TERM_RULES.test(id) || ABSENCE_RULES.has(id)) return null;
    const document = id.startsWith('v1-') ? inBody : (inHeader ?? inBody);
    return document && quoteMember(document, PATH_BY_RULE.get(id) ?? message, id.startsWith('v1-'));
  };
}

function toEvidence(place: string, text: string, path: string | null = null): Evidence {
  return { place, path, excerpt: quoteText(text, MAX_EXCERPT_CHARS) };
}

/** Path or word of a message that may name a member, such as `resource.url` or `extra.name`. */
const PATH = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/g;
const INDEX = /accepts\[(\d+)\]/;
/** Members of the envelope. All other members are those of a payment option. */
const ENVELOPE_MEMBERS: ReadonlySet<string> = new Set(['x402Version', 'accepts', 'error', 'extensions']);
const OPTION_MEMBERS: ReadonlySet<string> = new Set([
  ...['scheme', 'network', 'amount', 'maxAmountRequired', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
  ...['description', 'mimeType', 'outputSchema'],
]);
const MAX_WORDS = 12;

/**
 * Quotes the member that the message of a fault names first. If the member is missing, its nearest existing parent is
 * quoted; without a name, the option or the list of options.
 */
function quoteMember({ place, json }: Document, message: string, isVersion1: boolean): Evidence | null {
  if (!isJsonObject(json)) return null;
  const options = readMember(json, 'accepts');
  const given = INDEX.exec(message)?.[1];
  const isSingle = Array.isArray(options) && options.length === 1;
  const option = given ?? (isSingle ? '0' : null);
  const words = (message.match(PATH) ?? []).slice(0, MAX_WORDS);
  const paths = words.map((word) => toSteps(word.split('.'), option ?? '0', isVersion1));
  const steps = paths.find((path) => path !== null);
  return quoteSteps(place, json, steps ?? (option === null ? ['accepts'] : ['accepts', option]));
}

/** Returns the steps to a member that a message names; null for a word that names no member. */
function toSteps(words: readonly string[], option: string, isVersion1: boolean): readonly string[] | null {
  const [first = ''] = words;
  // The message names an option by its index, which `option` contains.
  if (first === 'accepts' && words.length === 1) return null;
  if (ENVELOPE_MEMBERS.has(first)) return words;
  if (EXTENSIONS.has(first)) return ['extensions', ...words];
  // In version 1, the resource is a member of each option.
  if (first === 'resource' && !isVersion1) return words;
  return first === 'resource' || OPTION_MEMBERS.has(first) ? ['accepts', option, ...words] : null;
}

/** Extensions that messages name without their parent. */
const EXTENSIONS: ReadonlySet<string> = new Set([
  'bazaar',
  'payment-identifier',
  'builder-code',
  'sign-in-with-x',
]);

function quoteSteps(place: string, json: object, steps: readonly string[]): Evidence | null {
  let value: unknown = json;
  const taken: string[] = [];
  for (const step of steps) {
    const member = readMember(value, step);
    if (member === undefined) break;
    value = member;
    taken.push(step);
  }
  if (taken.length === 0) return null;
  const path = taken
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
  return toEvidence(place, JSON.stringify(value), path);
}
