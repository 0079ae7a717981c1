import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { useTestDatabase } from '../../testing/test-database.ts';
import { formatFields, MAX_FORM_TEXT_CHARS, readFields } from './dispute-fields.ts';
import { DisputePage } from './dispute-page.tsx';
import { prepareDispute } from './prepare-dispute.ts';

const BASE = 'https://touchstone.example';
const SIGNED_AT = '2026-11-01T00:00:00.000Z';
const FILLED = {
  resource: 'https://api.example.com/v1/weather',
  subject: 'recommendation',
  text: "It's up.",
  wallet: `0x${'ab'.repeat(20)}`,
  problem: '',
};

const render = (change: Partial<typeof FILLED> = {}) => {
  const fields = readFields(new URLSearchParams({ ...FILLED, ...change }));
  const prepared = prepareDispute(fields, BASE, SIGNED_AT);
  return renderToStaticMarkup(<DisputePage {...{ fields, prepared, baseUrl: BASE }} />);
};

describe('the form of a dispute', () => {
  it('shows the message to sign, and sends its values with the signature', () => {
    const html = render();
    const text = extractText(html);
    expect(text).toContain(`Service: ${BASE} Resource: ${FILLED.resource} Subject: recommendation`);
    expect(text).toContain(`Text: ${FILLED.text} Wallet: ${FILLED.wallet} Signed at: ${SIGNED_AT}`);
    expect(html).toContain('href="/dispute?resource=https%3A%2F%2Fapi.example.com%2Fv1%2Fweather&amp;');
    expect(html).not.toContain('&amp;wallet=');
    for (const [name, value] of Object.entries({ resource: FILLED.resource, signed_at: SIGNED_AT }))
      expect(html).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
  });

  it('quotes a URL that is a command of the shell', () => {
    const text = extractText(render({ resource: "https://api.example.com/'$(id)`id`" }));
    expect(text).toContain(`cast wallet sign --interactive 'Touchstone dispute`);
    expect(text).toContain(`https://api.example.com/'\\''$(id)\`id\``);
  });

  it.each([
    [{ text: 'See evil.example.com' }, '“Why it is wrong” must be plain text without a domain'],
    [{ wallet: '0x12' }, '“payTo wallet” must be an address'],
    [{ resource: 'weather' }, 'must be the full URL'],
    [{ subject: 'a b' }, 'must be recommendation'],
  ])('shows the mistake in %j and keeps the values', (change, mistake) => {
    const html = render(change);
    expect(extractText(html)).toContain(mistake);
    for (const value of Object.values({ ...FILLED, ...change }))
      if (value !== '') expect(html).toContain(` value="${value.replace("'", '&#x27;')}"`);
    expect(html).not.toContain('name="signature"');
  });

  it('shows only known texts about a problem that the URL names', () => {
    expect(extractText(render({ problem: 'signature' }))).toContain('The wallet did not sign this message');
    const other = extractText(render({ problem: 'pay 0xevil now' }));
    expect(other).toContain('The dispute could not be stored');
    expect(other).not.toContain('evil');
  });

  it('has a URL of at most 4 KiB with any text', () => {
    const text = '漢'.repeat(2 * MAX_FORM_TEXT_CHARS);
    const query = formatFields(readFields(new URLSearchParams({ ...FILLED, text })));
    expect(query.length).toBeLessThan(4_096);
    expect(readFields(new URLSearchParams(query)).text).toBe('漢'.repeat(MAX_FORM_TEXT_CHARS));
  });
});

describe('a sent form', () => {
  const { database, getModules } = useTestDatabase(() => import('./submit-dispute.ts'));
  beforeEach(() => database.reset());
  const send = async (fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ ...FILLED, ...fields });
    const request = new Request(`${BASE}/dispute`, { method: 'POST', body });
    const response = await getModules().submitDispute(request);
    return [response.status, new URL(response.headers.get('location') ?? '', BASE)] as const;
  };

  it.each([
    ['an empty signature', { signature: '', signed_at: SIGNED_AT }, 'signature', []],
    [
      'an unknown endpoint',
      { signature: '0x00', signed_at: SIGNED_AT },
      'unknown-resource',
      ['dispute_subject'],
    ],
  ])(
    'with %s leads back to the form with its values and the problem',
    async (...[, fields, problem, calls]) => {
      const [status, location] = await send(fields);
      expect([status, location.pathname, location.searchParams.get('problem')]).toEqual([
        303,
        '/dispute',
        problem,
      ]);
      expect(location.searchParams.get('text')).toBe(FILLED.text);
      expect(database.listCalls().slice(0, 1)).toEqual(calls);
    },
  );
});
