import {
  BULK_SIZES,
  OPERATIONS,
  PROBLEMS,
  REFUSAL_FILE,
  toBulkPath,
  toSchemaPath,
  WATCH_MESSAGES_SECTION,
} from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { Docs } from './docs.tsx';

const PAY_TO = '0x52908400098527886E0F7030069857D2E4169EE7';

const render = (resource?: string, payTo: string | null = PAY_TO): string =>
  renderToStaticMarkup(
    <Docs
      baseUrl="https://touchstone.example"
      network="eip155:84532"
      payTo={payTo}
      {...(resource === undefined ? {} : { resource })}
    />,
  );
const html = render();

const getSection = (id: string): string =>
  html.slice(html.indexOf(`<section id="${id}"`)).split('</section>')[0] ?? '';

const [smallest, ...largerSizes] = BULK_SIZES.map(toBulkPath);
const ENTRIES = OPERATIONS.filter(({ path }) => !largerSizes.includes(path));

describe('Docs', () => {
  it.each(ENTRIES)('has the requests, the response, the schemas and the errors of $id', (operation) => {
    const { id, path, requestBody, response, problems } = operation;
    const section = getSection(id);
    expect(section).toContain(path);
    expect(section.match(/aria-label="[^"]*, in (?:curl|TypeScript|Python)"/g)).toHaveLength(3);
    expect(section).toContain('aria-label="Example response: ');
    for (const payload of [requestBody, response]) {
      if (payload?.published) expect(section).toContain(`href="${toSchemaPath(payload.published.name)}"`);
    }
    for (const code of problems) expect(section).toContain(`href="#error-${code}"`);
  });

  it.each(ENTRIES)('has the parameters of $id with their descriptions', ({ id, parameters, security }) => {
    const section = extractText(getSection(id));
    for (const { name, in: place, required, description, example } of parameters) {
      expect(section).toContain(
        place === 'query'
          ? `${name}=${example} in the query, ${required ? 'required' : 'optional'}:`
          : `${name} in the path:`,
      );
      // Spaces are removed, because code in the description has elements of its own.
      expect(section.replaceAll(' ', '')).toContain(description.replaceAll(/[ `]/g, ''));
    }
    expect(section.includes('Parameters')).toBe(parameters.length > 0);
    if (security === 'bearer') {
      expect(section).toContain('free, needs the secret of the watch');
      expect(section).toContain('Header');
    }
  });

  it('has the fields of request bodies, also nested fields', () => {
    const section = extractText(getSection('createWatch'));
    expect(section).toContain('endpoint string, required : Full URL of the endpoint');
    expect(section).toContain('delivery.slack_url string or array, optional : Incoming webhooks');
  });

  it('has one entry for the bulk operations, with every size and price', () => {
    const section = getSection('getTrustBulk10');
    const text = extractText(section);
    for (const { id, path } of OPERATIONS.filter(({ path: each }) => largerSizes.includes(each))) {
      expect(section).toContain(`<tr id="${id}"`);
      expect(text).toContain(path);
    }
    expect(text).toContain(`up to 10 ${smallest ?? ''} $0.045`);
    expect(text).toContain('up to 500 /v1/x402-trust-bulk-500 $0.50');
    expect(text).toContain('from $0.045 per call');
  });

  it('lists each entry once in the contents, with its price, and free entries first in each task', () => {
    const contents = /<nav aria-label="Contents".*?<\/nav>/s.exec(html)?.[0] ?? '';
    const links = [...contents.matchAll(/href="#(\w+)"[^>]*><span>.*?<\/span><span[^>]*>(.*?)<\/span>/gs)];
    expect(links.map(([, id]) => id).toSorted()).toEqual(ENTRIES.map(({ id }) => id).toSorted());
    const prices = new Map(links.map(([, id = '', price = '']) => [id, price]));
    expect(prices.get('findEndpointSummary')).toBe('free');
    expect(prices.get('getTrustReport')).toBe('$0.005');
    expect(prices.get('getTrustBulk10')).toBe('from $0.045');
    expect(prices.get('cancelWatch')).toBe('with secret');
    for (const group of contents.split('<div ').slice(1)) {
      const isPaid = [...group.matchAll(/tabular-nums">(.*?)</g)].map(([, price = '']) =>
        price.includes('$'),
      );
      expect(isPaid).toEqual(isPaid.toSorted((one, other) => Number(one) - Number(other)));
    }
  });

  it('can send each request that needs no secret, and says if a request is without a payment', () => {
    for (const { id, priceUsd, security } of ENTRIES) {
      const [, button] = /<button[^>]*>(.*?)<\/button>/.exec(getSection(id)) ?? [];
      const sent = priceUsd === null ? 'Send' : 'Send without payment';
      expect(button, id).toBe(security === 'bearer' ? undefined : sent);
    }
  });

  it('shows the challenge of each paid operation with the terms of this service', () => {
    for (const { id, priceUsd } of ENTRIES) {
      const text = extractText(getSection(id)).replaceAll('&quot;', '"');
      expect(text.includes('"x402Version": 2'), id).toBe(priceUsd !== null);
      if (priceUsd !== null) expect(text, id).toContain(`"amount": "${Number(priceUsd) * 1e6}"`);
      expect(text.includes(`"payTo": "${PAY_TO}"`), id).toBe(priceUsd !== null);
    }
    expect(render(undefined, null)).not.toContain(PAY_TO);
  });

  it('begins with a free call, before the payment', () => {
    const start = html.slice(html.indexOf('<section id="start"'), html.indexOf('<section id="pay"'));
    expect(extractText(start)).toContain("curl -i 'https://touchstone.example/v1/x402-summary?resource=");
  });

  it('explains at the link of each message of a watch how to stop the messages', () => {
    const section =
      html.slice(html.indexOf(`<section id="${WATCH_MESSAGES_SECTION}"`)).split('</section>')[0] ?? '';
    for (const text of ['600 messages', '410', REFUSAL_FILE.path, REFUSAL_FILE.line])
      expect(section).toContain(text);
  });

  it('explains every error at its own anchor, and names the payment network', () => {
    const section = html.slice(html.indexOf('<section id="errors"')).split('</section>')[0] ?? '';
    for (const code of Object.keys(PROBLEMS)) expect(section).toContain(`id="error-${code}"`);
    expect(section).toContain('<code>notCharged</code>');
    expect(section).not.toContain('`');
    expect(html).toContain('Base Sepolia');
  });

  it('renders an untrusted resource URL as text', () => {
    const untrusted = render('https://example.com/</pre><script>alert(1)</script>');
    expect(untrusted).not.toContain('<script>');
    expect(untrusted).toContain('&lt;script&gt;');
  });
});
