import { formatMinute } from '@touchstone/common';
import { CHECK_EXAMPLE } from '@touchstone/contract/operations/check/response';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { CheckPage } from './check-page.tsx';
import type { CheckPageData, ShownCheck } from './load-check.ts';

const { code, ...CHECK } = CHECK_EXAMPLE;
const CHECKED_AT = Date.parse(CHECK.checkedAt);
const FAULT = CHECK.faults[0] ?? expect.fail();

const render = (data: Partial<CheckPageData> = {}, now = CHECKED_AT + 60_000): string =>
  renderToStaticMarkup(
    <CheckPage
      data={{
        params: { url: CHECK.resource, method: null, problem: null, waitSeconds: null },
        ...{ ignored: [], fault: null, isRefused: false, check: CHECK, codes: code === null ? [] : [code] },
        ...data,
      }}
      baseUrl="https://touchstone.example"
      now={now}
    />,
  );

const renderCheck = (change: Partial<ShownCheck>): string => render({ check: { ...CHECK, ...change } });

it('says first what agents do and what to change, then who pays and each fault with its evidence', () => {
  const text = extractText(render());
  const parts = [
    'Not payable No agent pays this endpoint. The network has a version 1 name;',
    'Do this first: Replace the network by its CAIP-2 id',
    'GET, status 402. Checked 2026-11-27 12:00 UTC',
    'Version 2 exact on Base exact on Base Does not pay The network has a version 1 name.',
    'Error stops payments, or loses them v2-network-caip2 network is "base"; it must be a CAIP-2 id.',
    'Your response, header PAYMENT-REQUIRED, accepts[0].network "base"',
    'Fix: Replace the network by its CAIP-2 id',
    'Source: x402 v2 specification, 5.1.2',
    'Your response names Express as its server. It repairs v2-network-caip2 .',
    '1 rule passed; 70 did not apply',
    'DNS 12 ms TCP 20 ms TLS 42 ms Server 89 ms',
    'Response headers 1,204 of 8,192 bytes Fits',
    'No directory that Touchstone reads lists this URL.',
    'Lets the payment pass, with a warning Touchstone does not know this endpoint.',
    'https://touchstone.example/check?url=https%3A%2F%2Fapi.example.com%2Fv1%2Fweather',
    `-d '{"resource":"https://api.example.com/v1/weather"}'`,
  ];
  const positions = parts.map((part) => text.indexOf(part));
  expect(parts.filter((_, index) => positions[index] === -1)).toEqual([]);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
});

it.each([
  [{ outcome: 'pays', faults: [] }, 'Payable', 'bg-[#1a6243]'],
  [{ outcome: 'pays' }, 'Payable with errors', 'bg-[#7a4f00]'],
  [{ outcome: 'lost' }, 'Payments are lost', 'bg-[#9d2719]'],
  [{ outcome: 'unknown', step: null }, 'Not determined', 'bg-[#3d464b]'],
] as const)('labels %j as "%s"', (change, label, band) => {
  const html = renderCheck({ ...change, faults: [...('faults' in change ? [] : CHECK.faults)] });
  expect(html).toContain(band);
  expect(extractText(html)).toContain(` ${label} `);
});

it('shows an endpoint without a response', () => {
  const phases = { resolve: 12, connect: null, tls: null, processing: null, transfer: null, total: 3_000 };
  const text = extractText(
    renderCheck({
      ...{ outcome: 'unreachable', status: null, clients: [], options: [], passed: [], limits: [] },
      ...{ response: null, tls: null, guard: null, timingMs: phases },
    }),
  );
  expect(text).toContain('Unreachable');
  expect(text).toContain('TCP not measured');
  for (const title of ['Who pays', 'What was fine', 'payment terms and body', 'Sizes', 'What buyers'])
    expect(text).not.toContain(title);
});

it('escapes text of the response, and makes no link of it', () => {
  const excerpt = '"<b>https://evil.example</b>"';
  const html = renderCheck({
    faults: [{ ...FAULT, evidence: { place: 'body', path: null, excerpt } }],
    response: {
      headers: [{ name: 'server', value: excerpt }],
      headerBytes: 9,
      terms: excerpt,
      body: excerpt,
    },
    extensionResponses: excerpt,
    options: [{ ...(CHECK.options[0] ?? expect.fail()), payTo: `${excerpt}\u202E\u200B` }],
  });
  expect(html).not.toContain('<b>');
  expect(html).not.toMatch(/[\u202E\u200B]/);
  expect(html).not.toContain('href="https://evil');
});

it('closes hints, and counts them', () => {
  const html = renderCheck({
    faults: [FAULT, { ...FAULT, id: 'hint', severity: 'info', axis: 'discoverable' }],
  });
  expect(html).toMatch(/<details[^>]*><summary[^>]*>1 hint without effect on payments<\/summary>/);
});

it.each([
  ['a minute', {}, 1],
  ['a minute', { outcome: 'pays' }, 1],
  ['ten minutes', { outcome: 'pays', faults: [] }, 10],
] as const)('names the next check for %s after %j', (_, change, minutes) => {
  const check = { ...CHECK, ...change, faults: 'faults' in change ? [] : CHECK.faults };
  const show = (now: number) => extractText(render({ check }, now));
  const shared = `This result is shown again until ${formatMinute(CHECKED_AT + minutes * 60_000)}`;
  expect(show(CHECKED_AT)).toContain(shared);
  expect(show(CHECKED_AT + minutes * 60_000)).not.toContain('This result is shown again');
});

it.each([
  [{}, 'This URL was not checked in the last 24 hours.'],
  [{ fault: 'the host is localhost' }, 'This URL cannot be checked, because the host is localhost.'],
  [{ ignored: ['method=BREW'] }, 'Not used, because the value is not valid: method=BREW.'],
] as const)('shows the filled form without a check: %j', (data, text) => {
  const html = render({
    ...data,
    ignored: [...('ignored' in data ? data.ignored : [])],
    check: null,
    codes: [],
  });
  expect(extractText(html)).toContain(text);
  expect(html).toContain('value="https://api.example.com/v1/weather"');
  expect(html).toContain('action="/check" method="post"');
});

it.each([
  ['rate-limited', 'Send it again in 7 seconds. From your own machine'],
  ['not-probeable', 'Not checked: this service could not send a request to this URL. From your own'],
  ['not-probeable', "npx @touchstone/cli lint 'https://api.example.com/v1/weather'"],
  ['failed', 'The check failed on our side, and says nothing about the endpoint.'],
] as const)('explains the problem %s above the latest check', (problem, text) => {
  const params = { url: CHECK.resource, method: null, problem, waitSeconds: 7 };
  const shown = extractText(render({ params }));
  expect(shown).toContain(text);
  expect(shown).toContain('Not payable');
});

it('says that the provider refuses requests only if it does', () => {
  const params = { url: CHECK.resource, method: null, problem: 'not-probeable', waitSeconds: null } as const;
  const refused = extractText(render({ params, isRefused: true, check: null, codes: [] }));
  expect(refused).toContain('the provider of this endpoint asked us to send it no requests.');
});
