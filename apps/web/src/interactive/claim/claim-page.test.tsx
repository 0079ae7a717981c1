import type { Claim } from '@touchstone/contract';
import { CLAIM_SCHEMAS } from '@touchstone/contract/operations/claim/operation';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { ClaimCallError, readClaim, verifyClaim } from './claim-api.ts';
import { ClaimShell } from './claim-shell.tsx';
import { toWindow } from './maintenance-section.tsx';
import { toNotices } from './notice-section.tsx';
import { OwnerView } from './owner-view.tsx';
import { SessionContext } from './session.ts';
import { toHost } from './start-forms.tsx';

const CREDENTIALS = { id: 'c_k5xgq2dlmvzw433bnz2gs3tbme', secret: 'csk_secret' };
const CLAIM: Claim = CLAIM_SCHEMAS.claim.example;

type Change = Partial<Omit<Claim, 'settings'>> & { readonly settings?: Partial<Claim['settings']> };

const render = ({ settings, ...change }: Change): string =>
  renderToStaticMarkup(
    <SessionContext
      value={{
        credentials: CREDENTIALS,
        claim: { ...CLAIM, ...change, settings: { ...CLAIM.settings, ...settings } },
        showClaim: () => {},
      }}
    >
      <OwnerView onLock={() => {}} />
    </SessionContext>,
  );

describe('the page of a claim', () => {
  it('has unusable forms without its script, and the calls of the API', () => {
    const html = renderToStaticMarkup(<ClaimShell baseUrl="https://touchstone.example" />);
    expect(html.match(/<form[^>]* inert=""/g)).toHaveLength(2);
    expect(extractText(html)).toContain('curl -s https://touchstone.example/v1/claim');
  });

  it('shows what an active claim gives, as text', () => {
    const text = '<b>A data center</b> lost power.';
    const html = render({
      settings: {
        contact: 'security@example.com',
        statements: [
          {
            resource: 'https://api.example.com/x',
            subject: 'down-now',
            text,
            stated_at: '2026-06-01T00:00:00Z',
          },
        ],
        maintenance: [
          {
            ...{ resource: null, starts_at: '2026-06-07T22:00:00Z', ends_at: '2026-06-07T23:00:00Z' },
            ...{ text: 'Upgrade.', announced_at: '2026-06-01T00:00:00Z' },
          },
        ],
      },
    });
    expect(html).not.toContain('<b>A data');
    const shown = extractText(html);
    for (const part of ['Active', 'found in the file', `“${text}”`, 'all endpoints', 'End this claim…'])
      expect(shown).toContain(part);
    // The window has started, so only the statement can be removed.
    expect(html.match(/aria-label="Remove: /g)).toHaveLength(1);
    expect(html).toContain('value="security@example.com"');
  });

  it('shows an opt-out, and an unreadable proof with its consequence', () => {
    const shown = extractText(
      render({
        unreadable_since: '2026-06-01T00:00:00Z',
        settings: { opted_out_at: '2026-06-01T00:00:00Z' },
      }),
    );
    expect(shown).toContain('The claim ends three days later.');
    expect(shown).toContain('End the opt-out');
  });

  it('shows test purchases before their publication, and no section without one', () => {
    const purchase: Claim['unpublished_purchases'][number] = {
      ...{ resource: 'https://api.example.com/x', outcome: 'pay-again', transaction: '0xab' },
      ...{ purchased_at: '2026-06-01T00:00:00.000Z', publish_at: '2026-06-02T00:00:00.000Z' },
      ...{ requested_url: 'https://api.example.com/x?city=Oslo', http_status: 402, body_bytes: 7 },
      ...{ total_ms: 820, failure: null, schema_findings: ['city is missing'] },
    };
    const shown = extractText(render({ unpublished_purchases: [purchase] }));
    for (const part of [
      ...['https://api.example.com/x?city=Oslo', 'Asked to pay again . Charged.', '402 in 820 ms, 7 bytes'],
      ...['city is missing', 'Transaction 0xab', '2026-06-02 00:00'],
    ])
      expect(shown).toContain(part);
    expect(extractText(render({}))).not.toContain('Test purchases before publication');
  });

  it('offers only the verification of an ended claim', () => {
    const shown = extractText(
      render({ status: 'ended', ended_at: '2026-06-02T00:00:00Z', end_reason: 'proof-removed' }),
    );
    expect(shown).toContain('the line was removed');
    expect(shown).toContain('Verify now');
    expect(shown).not.toContain('Statements');
  });
});

it.each([
  ['https://API.example.com:8443/v1?x', 'api.example.com'],
  [' API.example.com ', 'api.example.com'],
])('reads the host of %s', (text, host) => {
  expect(toHost(text)).toBe(host);
});

it.each([
  [' https://hooks.slack.com/services/T/B/x ', { slack_url: 'https://hooks.slack.com/services/T/B/x' }],
  ['https://a.example/hook?discord.com', { webhook_url: 'https://a.example/hook?discord.com' }],
])('selects the kind of the URL %s', (typed, notices) => {
  expect(toNotices(typed)).toEqual({ notices });
});

it('converts the fields of a window to UTC, and leaves an incomplete time to the API', () => {
  const draft = { resource: ' ', starts: '2026-06-07T22:00', ends: '', text: ' Upgrade. ' };
  expect(toWindow(draft)).toEqual({
    resource: null,
    ...{ starts_at: '2026-06-07T22:00:00Z', ends_at: '', text: 'Upgrade.' },
  });
});

describe('calls of the API', () => {
  afterEach(() => vi.unstubAllGlobals());

  const respond = (response: Promise<Response>) => {
    const send = vi.fn(() => response);
    vi.stubGlobal('fetch', send);
    return send;
  };

  it('send the secret in a header and not in the URL', async () => {
    const send = respond(Promise.resolve(Response.json(CLAIM)));
    expect(await verifyClaim(CREDENTIALS, 'api.example.com')).toEqual(CLAIM);
    expect(send).toHaveBeenCalledWith(`/v1/claim/${CREDENTIALS.id}/verify`, {
      method: 'POST',
      headers: { authorization: 'Bearer csk_secret', 'content-type': 'application/json' },
      body: '{"host":"api.example.com"}',
    });
  });

  it('fail with the text of the API, and say when there is no response', async () => {
    const problem = {
      code: 'invalid-request',
      detail: 'Invalid.',
      errors: [{ path: 'host', message: 'Bad host.' }],
    };
    respond(Promise.resolve(Response.json(problem, { status: 400 })));
    await expect(readClaim(CREDENTIALS)).rejects.toEqual(
      new ClaimCallError('invalid-request', 'Invalid. Bad host.'),
    );
    respond(Promise.reject(new TypeError('offline')));
    await expect(readClaim(CREDENTIALS)).rejects.toThrow('could not be reached');
  });
});
