import { describe, expect, it } from 'vitest';
import { createLlmsText } from './llms-text.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { CLIENTS_NOTE, LOST_RESPONSE_NOTE } from '../shared/service.ts';

const text = createLlmsText('https://touchstone.example/', { network: 'eip155:8453' });

describe('llms.txt', () => {
  it('begins with a title and a summary, as llmstxt.org requires', () => {
    expect(text).toMatch(/^# Touchstone\n\n> [^\n]+\n\n/);
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toMatch(/\n\n\n|undefined|(?<!:)null|\[object/);
  });

  it.each(OPERATIONS)(
    'lists $method $path',
    ({ method, path, priceUsd, security, parameters, requestBody, problems }) => {
      expect(text).toContain(`${method} https://touchstone.example${path}`);
      if (security === 'bearer') for (const code of problems) expect(text).toContain(`- \`${code}\` (`);
      if (priceUsd === null) return;
      expect(text).toContain(`${priceUsd} US dollars`);
      if (requestBody !== null) expect(text).toContain(JSON.stringify(requestBody.example));
      for (const { in: place, name, example, description } of parameters) {
        const shown = place === 'query' ? `?${name}=${example}\`` : `${name}\`, such as \`${example}\``;
        expect(text).toContain(`\`${shown}. ${description}`);
      }
      for (const code of problems) expect(text).toContain(`- \`${code}\` (`);
    },
  );

  it('uses the given endpoint in every example', () => {
    const resource = 'https://listed.example/v2/prices';
    const about = createLlmsText('https://touchstone.example/', { network: 'eip155:8453', resource });
    expect(about).toContain(JSON.stringify(resource));
    expect(about).not.toContain('https://api.example.com/v1/weather');
  });

  it('names the bearer operations, the payment network, the headers and the MCP server', () => {
    expect(text.match(/\(bearer secret\)/g)).toHaveLength(9);
    for (const part of [
      '`Authorization: Bearer`',
      'PATCH https://touchstone.example/v1/watch/{id} (bearer secret)',
      ...['eip155:8453', 'PAYMENT-REQUIRED', 'PAYMENT-SIGNATURE', 'PAYMENT-RESPONSE', 'notCharged'],
      ...['X-PAYMENT header', 'X-PAYMENT-RESPONSE', CLIENTS_NOTE, LOST_RESPONSE_NOTE],
      'https://touchstone.example/mcp is an MCP server',
      'Query: resource, payTo (optional), network (optional).',
    ])
      expect(text).toContain(part);
  });

  it('notes that payments are disabled, and only then', () => {
    const note = 'Paid operations are disabled';
    expect(text).not.toContain(note);
    const disabled = createLlmsText('https://touchstone.example/', {
      network: 'eip155:8453',
      arePaymentsEnabled: false,
    });
    expect(disabled.split(note)).toHaveLength(2);
  });

  it('is short: the bulk operations share one section, and an operation has 550 characters on average', () => {
    expect(text.match(/^### Trust scores/gm)).toHaveLength(1);
    expect(text).toContain('of up to 500 endpoints');
    expect(text.length / OPERATIONS.length).toBeLessThan(550);
  });
});
