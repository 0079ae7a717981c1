import { isPublicHost } from '@touchstone/common';
import type { Envelope } from '../../challenge/envelope.ts';
import { advertisesPrivateHost, matchesAnyRequest, parseUrl, parseHttpUrl } from '../../urls/resource-url.ts';
import {
  checkV2Envelope,
  listRequestUrls,
  passIf,
  type Outcome,
  type Rule,
  type RuleInput,
} from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';

type Resource = NonNullable<Envelope['resource']>;

const MAX_TAGS = 5;
const MAX_ICON_URL_CHARS = 2_048;

/** Text of 1 to 32 printable ASCII characters. */
const LABEL = /^[\x20-\x7e]{1,32}$/;

/** Media type with names as in RFC 6838, 4.2, and optional parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\s*(;|$)/i;

const LOOPBACK_NAMES = new Set(['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback']);

function checkResource(judge: (resource: Resource) => Outcome): Rule['check'] {
  return checkV2Envelope(({ resource }) => (resource === null ? 'skip' : judge(resource)));
}

/** Checks an optional member. A null value counts as a missing member, as in the reference schema. */
function checkIfGiven(
  value: unknown,
  isGood: (value: unknown) => boolean,
  message: Parameters<typeof passIf>[1],
): Outcome {
  return value === undefined || value === null ? 'skip' : passIf(isGood(value), message);
}

function checkPublic({ v2, url }: RuleInput): Outcome {
  const advertised = parseHttpUrl(v2?.resource?.url);
  const requested = parseHttpUrl(url);
  if (advertised === null || requested === null || !isPublicHost(requested)) return 'skip';
  return passIf(
    !advertisesPrivateHost(advertised, requested),
    () => `resource.url is ${quote(v2?.resource?.url)}, which is reachable only inside the seller's network.`,
  );
}

function checkMatches(input: RuleInput): Outcome {
  const { v2, url } = input;
  const advertised = parseHttpUrl(v2?.resource?.url);
  const requested = parseHttpUrl(url);
  if (v2 === null || advertised === null || requested === null) return 'skip';
  if (advertisesPrivateHost(advertised, requested)) return 'skip';
  // If the URLs differ only because one has http instead of https, the rule `v2-resource-url-https` reports the
  // difference.
  if (advertised.protocol === 'http:') advertised.protocol = requested.protocol;
  return passIf(
    matchesAnyRequest(advertised, listRequestUrls(input), v2.routeTemplate),
    () => `resource.url is ${quote(v2.resource?.url)}, which does not match the requested URL.`,
  );
}

/** Checks that the resource uses https. The rule `http-https` reports an http resource that was requested over http. */
function checkHttps({ v2, url: requestUrl }: RuleInput): Outcome {
  const url = v2?.resource?.url;
  const advertised = parseUrl(url);
  if (advertised === null || advertised.protocol === 'mcp:') return 'skip';
  if (parseHttpUrl(url) !== null && !isPublicHost(advertised)) return 'skip';
  if (advertised.protocol === 'http:' && parseUrl(requestUrl)?.protocol === 'http:') return 'skip';
  return passIf(
    advertised.protocol === 'https:',
    () => `resource.url is ${quote(url)}; it should use https.`,
  );
}

function checkDescription({ description }: Resource): Outcome {
  return passIf(
    typeof description === 'string' && description !== '',
    'resource.description is missing, so directories have no text to show or search.',
  );
}

function isLabel(value: unknown): boolean {
  return typeof value === 'string' && LABEL.test(value);
}

function isTagList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_TAGS && value.every(isLabel);
}

/** Returns true for an icon URL that facilitators accept. Source: @x402/extensions, `isValidIconUrl`. */
function isIconUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_ICON_URL_CHARS || /[\p{Cc}]/u.test(value)) return false;
  const url = parseHttpUrl(value);
  if (url === null || url.username !== '' || url.password !== '') return false;
  // The URL parser has already converted numeric hosts, such as 0x7f000001, to dotted IPv4 form.
  return !url.hostname.startsWith('[') && !/^[\d.]+$/.test(url.hostname) && !LOOPBACK_NAMES.has(url.hostname);
}

/** Rules for the member `resource` of a version 2 envelope. */
export const V2_RESOURCE_RULES: readonly Rule[] = [
  {
    id: 'v2-resource-object',
    level: ['payable', 'error'],
    requirement: 'resource is an object.',
    fix: 'Send resource as an object with the url of the sold resource.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: checkV2Envelope(({ fields, resource }) =>
      passIf(
        resource !== null,
        () => `resource is ${quote(fields.resource)}; it must be an object with a url.`,
      ),
    ),
  },
  {
    id: 'v2-resource-url',
    level: ['payable', 'error'],
    requirement: 'resource.url is an absolute URL.',
    fix: 'Write resource.url as a full URL with scheme and host.',
    reference: { source: 'V2', clause: '5.1.2, ResourceInfo' },
    check: checkResource(({ url }) => {
      if (parseUrl(url) !== null) return 'pass';
      // The reference schema allows any text.
      return typeof url === 'string' && url !== ''
        ? { message: `resource.url is ${quote(url)}; it should be an absolute URL.`, severity: 'warning' }
        : { message: `resource.url is ${quote(url)}; it must be an absolute URL.` };
    }),
  },
  {
    id: 'v2-resource-url-https',
    level: ['discoverable', 'warning'],
    requirement: 'resource.url uses https.',
    fix: 'Advertise the https URL. Behind a proxy, configure the public origin of the service.',
    reference: { source: 'CDP', clause: 'url_https' },
    check: checkHttps,
  },
  {
    id: 'v2-resource-url-public',
    level: ['hygiene', 'error'],
    requirement: 'resource.url has a host that is reachable from the internet.',
    fix: 'Advertise the public URL. Behind a proxy, configure the public origin of the service.',
    reference: { source: 'CDP', clause: 'resource' },
    check: checkPublic,
  },
  {
    id: 'v2-resource-url-matches',
    level: ['hygiene', 'warning'],
    requirement: 'resource.url matches the requested URL.',
    fix: 'Build resource.url from the public origin and the path of the request.',
    reference: { source: 'V2', clause: '5.1.2, ResourceInfo' },
    check: checkMatches,
  },
  {
    id: 'v2-description',
    level: ['discoverable', 'warning'],
    requirement: 'The resource has a description.',
    fix: 'Describe the resource in one to three sentences.',
    reference: { source: 'CDP', clause: 'description' },
    check: checkResource(checkDescription),
  },
  {
    id: 'v2-mimetype',
    level: ['hygiene', 'warning'],
    requirement: 'resource.mimeType, if present, is a media type.',
    fix: 'Set resource.mimeType to the media type of the paid response, such as application/json, or omit it.',
    reference: { source: 'V2', clause: '5.1.2, ResourceInfo' },
    check: checkResource(({ mimeType }) =>
      checkIfGiven(
        mimeType,
        (value) => typeof value === 'string' && MEDIA_TYPE.test(value),
        () => `resource.mimeType is ${quote(mimeType)}, which is not a media type.`,
      ),
    ),
  },
  {
    id: 'v2-service-name',
    level: ['discoverable', 'warning'],
    requirement: 'resource.serviceName, if present, has 1 to 32 printable ASCII characters.',
    fix: 'Shorten resource.serviceName to at most 32 printable ASCII characters.',
    reference: { source: 'BAZAAR', clause: 'Service Metadata' },
    check: checkResource(({ serviceName }) =>
      checkIfGiven(
        serviceName,
        isLabel,
        () =>
          `resource.serviceName is ${quote(serviceName)}; directories ignore names that are not 1 to 32 printable ASCII characters.`,
      ),
    ),
  },
  {
    id: 'v2-tags',
    level: ['discoverable', 'warning'],
    requirement:
      'resource.tags, if present, has at most five tags of 1 to 32 printable ASCII characters each.',
    fix: 'Keep at most five tags, each of at most 32 printable ASCII characters.',
    reference: { source: 'BAZAAR', clause: 'Service Metadata' },
    check: checkResource(({ tags }) =>
      checkIfGiven(
        tags,
        isTagList,
        'resource.tags should be a list of at most five strings of 1 to 32 printable ASCII characters; directories ignore the rest.',
      ),
    ),
  },
  {
    id: 'v2-icon-url',
    level: ['discoverable', 'warning'],
    requirement: 'resource.iconUrl, if present, is a URL that directories accept.',
    fix: 'Set resource.iconUrl to an http or https URL with a host name, without credentials and with at most 2,048 characters.',
    reference: { source: 'BAZAAR', clause: 'Service Metadata' },
    check: checkResource(({ iconUrl }) =>
      checkIfGiven(
        iconUrl,
        isIconUrl,
        () =>
          `resource.iconUrl is ${quote(iconUrl)}; directories ignore URLs that are not http or https with a host name.`,
      ),
    ),
  },
];
