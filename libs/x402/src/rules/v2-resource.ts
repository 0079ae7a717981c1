import type { Envelope } from '../envelope.ts';
import { isHidden, namesRequest, parseUrl, parseWebUrl } from '../resource-url.ts';
import { isPublicHost } from '../public-host.ts';
import { expect, onV2, type Outcome, type Rule, type Subject } from './rule.ts';
import { quote } from '../text.ts';

type Resource = NonNullable<Envelope['resource']>;

const MAX_DESCRIPTION = 500;
const MAX_TAGS = 5;
const MAX_ICON_URL = 2_048;

/** One to 32 characters of printable ASCII. */
const LABEL = /^[\x20-\x7e]{1,32}$/;

/** Type and subtype as RFC 6838, 4.2 restricts their names, with or without parameters behind them. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\s*(;|$)/i;

const LOOPBACK_NAMES = new Set(['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback']);

function onResource(judge: (resource: Resource) => Outcome): Rule['check'] {
  return onV2(({ resource }) => (resource === null ? 'skip' : judge(resource)));
}

/** Judges a member that may be left out; null is taken as absent, as the reference schema takes it. */
function whenGiven(
  value: unknown,
  isGood: (value: unknown) => boolean,
  message: Parameters<typeof expect>[1],
): Outcome {
  return value === undefined || value === null ? 'skip' : expect(isGood(value), message);
}

function checkPublic({ v2, url }: Subject): Outcome {
  const advertised = parseWebUrl(v2?.resource?.url);
  const requested = parseWebUrl(url);
  if (advertised === null || requested === null || !isPublicHost(requested)) return 'skip';
  return expect(
    !isHidden(advertised, requested),
    () => `resource.url is ${quote(v2?.resource?.url)}, which nobody outside the seller's network can reach.`,
  );
}

function checkMatches({ v2, url }: Subject): Outcome {
  const advertised = parseWebUrl(v2?.resource?.url);
  const requested = parseWebUrl(url);
  if (v2 === null || advertised === null || requested === null) return 'skip';
  if (isHidden(advertised, requested)) return 'skip';
  // A URL that only lacks the s of https is the finding of the rule on https.
  if (advertised.protocol === 'http:') advertised.protocol = requested.protocol;
  return expect(
    namesRequest(advertised, requested, v2.routeTemplate),
    () => `resource.url is ${quote(v2.resource?.url)}, not the URL that was requested.`,
  );
}

function checkHttps({ url }: Resource): Outcome {
  const advertised = parseUrl(url);
  if (advertised === null || advertised.protocol === 'mcp:') return 'skip';
  if (parseWebUrl(url) !== null && !isPublicHost(advertised)) return 'skip';
  return expect(advertised.protocol === 'https:', () => `resource.url is ${quote(url)}, which is not https.`);
}

function checkDescription({ description }: Resource): Outcome {
  if (typeof description !== 'string' || description === '') {
    return { message: 'resource.description is missing; directories have nothing to show or to search.' };
  }
  const message = `resource.description has ${description.length} characters; the largest directory refuses more than 500.`;
  return expect(description.length <= MAX_DESCRIPTION, message, { severity: 'error' });
}

function isLabel(value: unknown): boolean {
  return typeof value === 'string' && LABEL.test(value);
}

function isTagList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_TAGS && value.every(isLabel);
}

/** What facilitators keep as an icon. Source: @x402/extensions, `isValidIconUrl`. */
function isIconUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_ICON_URL || /[\p{Cc}]/u.test(value)) return false;
  const url = parseWebUrl(value);
  if (url === null || url.username !== '' || url.password !== '') return false;
  // The parser has written numbers of any base as an address with dots by now.
  return !url.hostname.startsWith('[') && !/^[\d.]+$/.test(url.hostname) && !LOOPBACK_NAMES.has(url.hostname);
}

/** Rules on the `resource` of a version 2 envelope. */
export const V2_RESOURCE_RULES: readonly Rule[] = [
  {
    id: 'v2-resource-object',
    axis: 'payable',
    severity: 'error',
    holds: 'resource is an object.',
    fix: 'Send resource as an object with the url of what is sold.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: onV2(({ fields, resource }) =>
      expect(
        resource !== null,
        () => `resource is ${quote(fields.resource)}; it must be an object with a url.`,
      ),
    ),
  },
  {
    id: 'v2-resource-url',
    axis: 'payable',
    severity: 'error',
    holds: 'resource.url is an absolute URL.',
    fix: 'Write resource.url with scheme and host.',
    reference: { source: 'V2', clause: '5.1.2, ResourceInfo' },
    check: onResource(({ url }) =>
      expect(parseUrl(url) !== null, () => `resource.url is ${quote(url)}; it must be an absolute URL.`),
    ),
  },
  {
    id: 'v2-resource-url-https',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'resource.url is of scheme https.',
    fix: 'Advertise the https address; behind a proxy, set the public origin of the service.',
    reference: { source: 'CDP', clause: 'url_https' },
    check: onResource(checkHttps),
  },
  {
    id: 'v2-resource-url-public',
    axis: 'hygiene',
    severity: 'error',
    holds: 'resource.url names a host that can be reached from the internet.',
    fix: 'Advertise the public address; behind a proxy, set the public origin of the service.',
    reference: { source: 'CDP', clause: 'resource' },
    check: checkPublic,
  },
  {
    id: 'v2-resource-url-matches',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'resource.url names the resource that was requested.',
    fix: 'Build resource.url from the public origin and the path of the request.',
    reference: { source: 'V2', clause: '5.1.2, ResourceInfo' },
    check: checkMatches,
  },
  {
    id: 'v2-description',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'The resource is described in at most 500 characters.',
    fix: 'Describe the resource in one to three sentences, 500 characters at most.',
    reference: { source: 'CDP', clause: 'description' },
    check: onResource(checkDescription),
  },
  {
    id: 'v2-mimetype',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'resource.mimeType, where given, is a media type.',
    fix: 'Set resource.mimeType to the type of the paid answer, as in application/json, or leave it out.',
    reference: { source: 'V2', clause: '5.1.2, ResourceInfo' },
    check: onResource(({ mimeType }) =>
      whenGiven(
        mimeType,
        (value) => typeof value === 'string' && MEDIA_TYPE.test(value),
        () => `resource.mimeType is ${quote(mimeType)}, which is no media type.`,
      ),
    ),
  },
  {
    id: 'v2-service-name',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'resource.serviceName, where given, has at most 32 characters of printable ASCII.',
    fix: 'Shorten resource.serviceName to 32 characters of printable ASCII.',
    reference: { source: 'BAZAAR', clause: 'Service Metadata' },
    check: onResource(({ serviceName }) =>
      whenGiven(
        serviceName,
        isLabel,
        () =>
          `resource.serviceName is ${quote(serviceName)}; directories drop what is not 1 to 32 characters of printable ASCII.`,
      ),
    ),
  },
  {
    id: 'v2-tags',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'resource.tags, where given, are at most five, each of at most 32 characters of printable ASCII.',
    fix: 'Keep at most five tags of up to 32 characters of printable ASCII.',
    reference: { source: 'BAZAAR', clause: 'Service Metadata' },
    check: onResource(({ tags }) =>
      whenGiven(
        tags,
        isTagList,
        'resource.tags must be at most five texts of 1 to 32 characters of printable ASCII; directories drop the rest.',
      ),
    ),
  },
  {
    id: 'v2-icon-url',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'resource.iconUrl, where given, is a URL that directories keep.',
    fix: 'Give resource.iconUrl as an http or https URL of a named host, 2,048 characters at most, without credentials.',
    reference: { source: 'BAZAAR', clause: 'Service Metadata' },
    check: onResource(({ iconUrl }) =>
      whenGiven(
        iconUrl,
        isIconUrl,
        () =>
          `resource.iconUrl is ${quote(iconUrl)}; directories drop what is no web address of a named host.`,
      ),
    ),
  },
];
