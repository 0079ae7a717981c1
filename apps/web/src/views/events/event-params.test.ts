import { ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeEventParams,
  formatEventParams,
  NEWEST_EVENTS,
  parseEventParams,
  toEventsUrl,
  type EventParams,
  type ParsedEventParams,
} from './event-params.ts';
import { encodePageParams } from '../../serving/route-page.ts';

const parse = (query: string) => parseEventParams(new URLSearchParams(query));
const encode = ({ params, ignored }: ParsedEventParams) =>
  encodePageParams({ query: formatEventParams(params), ignored });

const anySubject = fc.constantFrom(
  {},
  { endpoint: 'api-example-com-weather-xvdduuxtfa' },
  { host: 'api.example.com' },
  { host: '[2001:db8::1]' },
);
const anyFilter = fc.record({
  kind: fc.option(fc.constantFrom(...ECOSYSTEM_EVENT_KINDS)),
  ...{ endpoint: fc.constant(null), host: fc.constant(null) },
  before: fc.option(fc.tuple(fc.nat(), fc.nat()).map(([at, id]) => `${String(at)}-${String(id)}`)),
});
const anyParams: fc.Arbitrary<EventParams> = fc
  .tuple(anyFilter, anySubject)
  .map(([filter, subject]) => ({ ...filter, ...subject }));

describe('parameters of the events page', () => {
  it('have a URL and a path segment from which they are parsed again', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const parsed = { params, ignored: [] };
        expect(parse(formatEventParams(params))).toEqual(parsed);
        expect(decodeEventParams(encode(parsed))).toEqual(parsed);
      }),
    );
  });

  it('are never invalid, and fit into a short path segment, for any query', () => {
    const anyText = fc
      .array(fc.nat(0xffff), { maxLength: 200 })
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        const [kind, host, endpoint, before] = [text, other, text, other];
        const parsed = parseEventParams(new URLSearchParams({ kind, host, endpoint, before }));
        expect(parse(formatEventParams(parsed.params))).toEqual({ params: parsed.params, ignored: [] });
        expect(decodeEventParams(encode(parsed))).toEqual(parsed);
        expect(encode(parsed)).toMatch(/^[\w-]{0,600}$/);
      }),
    );
  });

  it('are empty for an empty form and for parameters of other sites', () => {
    for (const query of ['', 'kind=', 'kind=&before=', 'utm_source=x']) {
      expect(parse(query)).toEqual({ params: NEWEST_EVENTS, ignored: [] });
      expect(toEventsUrl(parse(query).params)).toBe('/events');
    }
  });

  it('have the host in lower case, and no host beside an endpoint', () => {
    expect(parse('host=API.example.com').params).toEqual({ ...NEWEST_EVENTS, host: 'api.example.com' });
    const endpoint = 'api-example-com-weather-xvdduuxtfa';
    expect(parse(`host=a.example&endpoint=${endpoint}`).params).toEqual({ ...NEWEST_EVENTS, endpoint });
  });

  it.each([
    ['kind=outages', 'kind=outages'],
    ['kind=__proto__', 'kind=__proto__'],
    ['kind=Outage', 'kind=Outage'],
    ['before=1-', 'before=1-'],
    ['endpoint=weather', 'endpoint=weather'],
    ['host=a/../b', 'host=a/../b'],
    ['before=x%E2%80%AE%0Ay', 'before=x y'],
    [`before=${'1'.repeat(900)}`, `before=${'1'.repeat(52)}…`],
  ])('ignore an invalid value and name it: %s', (query, ignored) => {
    expect(parse(query)).toEqual({ params: NEWEST_EVENTS, ignored: [ignored] });
  });
});
