import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRequest, type RequestTarget } from './plan-request.ts';

const URL_ = 'https://api.example.com/v1/weather';
const target: RequestTarget = {
  resource: URL_,
  url: URL_,
  method: 'GET',
  serviceName: 'Weather',
  description: 'Current weather of a city',
  exampleRequest: null,
};
const plan = (change: Partial<RequestTarget>, skip: readonly string[] = []) =>
  planRequest({ ...target, ...change }, { skip });
const withQuery = (name: string, value: string) => ({
  exampleRequest: { query: [[name, value] as const], body: null },
});
const withBody = (value: string | object, type: 'json' | 'text' = 'json') => ({
  method: 'POST',
  exampleRequest: { query: [], body: { type, value: value as never } },
});

describe('a planned request', () => {
  it.each<[Partial<RequestTarget>, object]>([
    [{}, { method: 'GET', url: URL_, body: null }],
    [{ method: null }, { method: 'GET', url: URL_, body: null }],
    [withQuery('city', 'São Paulo'), { method: 'GET', url: `${URL_}?city=S%C3%A3o+Paulo`, body: null }],
    [{ url: `${URL_}?city=a&unit=c`, ...withQuery('city', 'b') }, { url: `${URL_}?city=b&unit=c` }],
    [withBody({ city: 'Oslo', days: 3 }), { method: 'POST', url: URL_, body: '{"city":"Oslo","days":3}' }],
    [withBody({ from: 'USD', to: 'EUR', at: '2026-06-01' }), { method: 'POST' }],
    [withBody({ action: 'summarize', text: 'A text.' }), { method: 'POST' }],
    [
      withBody({ address: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', since: '2026-06-01' }),
      { method: 'POST' },
    ],
    [withQuery('id', '1234567890'), { method: 'GET' }],
  ])('for %j has the declared example', (change, request) => {
    expect(plan(change)).toMatchObject({ ok: true, request });
  });

  it.each<[string, Partial<RequestTarget>]>([
    ['url', { url: 'http://api.example.com/' }],
    ['url', { url: 'https://user:secret@api.example.com/' }],
    ['url', { url: 'not a URL' }],
    ['url', withQuery('city', 'a'.repeat(9_000))],
    ['template', { resource: 'https://api.example.com/{city}' }],
    ['template', { url: 'https://api.example.com/%7Bcity%7D' }],
    ['template', { url: 'https://api.example.com/:city' }],
    ['method', { method: 'DELETE' }],
    ['method', { method: 'PUT', exampleRequest: withBody({}).exampleRequest }],
    ['no-example', { method: 'POST' }],
    ['no-example', { method: 'POST', ...withQuery('city', 'Oslo') }],
    ['no-example', withBody('text', 'text')],
    ['no-example', { ...withBody({ city: 'Oslo' }), method: 'GET' }],
    ['placeholder-example', withQuery('city', 'string')],
    ['placeholder-example', withBody({ wallet: '0x...' })],
    ['placeholder-example', withBody({ inner: [{ key: '<your key>' }] })],
    ['placeholder-example', withQuery('key', 'YOUR_API_KEY')],
    ['personal-example', withBody({ person: ['jane@example.org'] })],
    ['personal-example', withQuery('q', '+1 (555) 010-9999')],
    ['personal-example', withQuery('phone', '(555) 123-4567')],
    ['personal-example', withBody({ q: '123-45-6789' })],
    ['personal-example', withBody({ first_name: 'Jane' })],
    ['personal-example', withBody({ address: '12 Elm Street' })],
    ['unreadable-text', { ...withBody({ city: 'Oslo' }), description: null }],
    ['unreadable-text', { ...withBody({ city: 'Oslo' }), description: 'Sendet eine Nachricht' }],
    ['unreadable-text', { description: '发送短信 SMS' }],
    ['action-url', { url: 'https://api.example.com/v1/sendEmail' }],
    ['action-url', { url: 'https://api.example.com/v1/orders/create_order' }],
    ['action-url', { url: 'https://token-presale.example.com/' }],
    ['action-text', { description: 'Sends an SMS' }],
    ['action-text', { serviceName: 'Buy now' }],
    ['action-example', withBody({ to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', value: 1 })],
    ['action-example', withBody({ recipient: 'alice', text: 'hi' })],
    ['action-example', withBody({ action: 'transfer', amount: 1 })],
    ['action-example', withQuery('webhook_url', 'https://example.com/')],
    ['action-example', withBody({ command: 'rm -rf /' })],
    ['action-example', withBody({ target: 'https://example.com/', rps: 10 })],
  ])('is refused by the rule %s: %j', (rule, change) => {
    expect(plan(change)).toEqual({ ok: false, rule });
  });

  it('is refused for the hosts and URLs of the operator', () => {
    const skip = ['Example.com', 'https://other.example/v1/'];
    expect(plan({}, skip)).toEqual({ ok: false, rule: 'operator' });
    expect(plan({ url: 'https://other.example/v1/a' }, skip)).toEqual({ ok: false, rule: 'operator' });
    for (const url of ['https://other.example/v2/', 'https://notexample.com/'])
      expect(plan({ url }, skip)).toMatchObject({ ok: true });
  });

  it('has another method than GET only with a declared JSON example, and keeps host and path', () => {
    const text = fc.string({ maxLength: 40 });
    const example = fc.option(
      fc.record({
        query: fc.array(fc.tuple(text, text), { maxLength: 3 }),
        body: fc.option(
          fc.record({ type: fc.constantFrom('json', 'text', 'form-data'), value: fc.jsonValue() }),
        ),
      }),
    );
    const declared = fc.record({
      url: fc.webUrl(),
      method: fc.constantFrom(null, 'GET', 'POST', 'PUT', 'DELETE'),
      description: text,
      exampleRequest: example,
    });
    fc.assert(
      fc.property(declared, (change) => {
        const { url, exampleRequest } = change;
        // The type of an arbitrary JSON value is wider than that of an example.
        const planned = plan({ ...change, resource: url } as Partial<RequestTarget>);
        if (!planned.ok) return;
        const { request } = planned;
        expect(new URL(request.url).origin + new URL(request.url).pathname).toBe(
          new URL(url).origin + new URL(url).pathname,
        );
        expect(request.method === 'POST').toBe(change.method === 'POST');
        expect(request.body).toBe(
          request.method === 'POST' ? JSON.stringify(exampleRequest?.body?.value) : null,
        );
      }),
    );
  });
});
