import type { RuleCases, RuleExample } from './rule-case.ts';
import { REQUEST_URL, v1Response, v2Envelope, v2Response, type JsonObject } from '../../testing/fixtures.ts';

const valid: RuleExample = { response: v2Response() };
const versionOne: RuleExample = { response: v1Response() };

const RESOURCE = { url: REQUEST_URL, description: 'Weather by city', mimeType: 'application/json' };

/** Creates a correct version 2 response, but with the given changes of its member `resource`. */
function withResource(change: JsonObject, url = REQUEST_URL): RuleExample {
  return { response: v2Response(v2Envelope({ resource: { ...RESOURCE, ...change } }), { url }) };
}

/** Example responses for the rules on the member `resource` of version 2. */
export const V2_RESOURCE_CASES: RuleCases = {
  'v2-resource-object': {
    pass: valid,
    fail: { response: v2Response(v2Envelope({ resource: REQUEST_URL })) },
    skip: versionOne,
  },
  'v2-resource-url': {
    pass: valid,
    fail: withResource({ url: '/v1/weather' }),
    skip: { response: v2Response(v2Envelope({ resource: REQUEST_URL })) },
  },
  'v2-resource-url-https': {
    pass: valid,
    fail: withResource({ url: 'http://api.example.com/v1/weather' }),
    skip: withResource({ url: 'mcp://tool/weather' }),
  },
  'v2-resource-url-public': {
    pass: valid,
    fail: withResource({ url: 'http://localhost:3000/v1/weather' }),
    skip: withResource({ url: 'http://localhost:3000/x' }, 'http://localhost:3000/x'),
  },
  'v2-resource-url-matches': {
    pass: withResource({ url: `${REQUEST_URL}?city=Bern` }),
    fail: withResource({ url: 'https://api.example.com/v1/stocks' }),
    skip: withResource({ url: 'http://10.0.0.5/v1/weather' }),
  },
  'v2-description': {
    pass: valid,
    fail: withResource({ description: '' }),
    skip: versionOne,
  },
  'v2-mimetype': {
    pass: withResource({ mimeType: 'text/html; charset=utf-8' }),
    fail: withResource({ mimeType: '' }),
    skip: withResource({ mimeType: undefined }),
  },
  'v2-service-name': {
    pass: withResource({ serviceName: 'Skies' }),
    fail: withResource({ serviceName: 'Skies over Bern, Geneva and Zürich' }),
    skip: withResource({}),
  },
  'v2-tags': {
    pass: withResource({ tags: ['weather', 'europe'] }),
    fail: withResource({ tags: ['a', 'b', 'c', 'd', 'e', 'f'] }),
    skip: withResource({}),
  },
  'v2-icon-url': {
    pass: withResource({ iconUrl: 'https://api.example.com/icon.png' }),
    fail: withResource({ iconUrl: 'data:image/png;base64,AAAA' }),
    skip: withResource({ iconUrl: null }),
  },
};
