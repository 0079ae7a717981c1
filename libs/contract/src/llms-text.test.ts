import { describe, expect, it } from 'vitest';
import { llmsText } from './llms-text.ts';
import { OPERATIONS } from './operations.ts';

const text = llmsText('https://touchstone.example/', { network: 'eip155:8453' });

describe('llms.txt', () => {
  it('begins as llmstxt.org has it: a title, then a summary', () => {
    expect(text).toMatch(/^# Touchstone\n\n> [^\n]+\n\n/);
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toMatch(/\n\n\n|undefined|null|\[object/);
  });

  it.each(OPERATIONS)('names $method $path', ({ method, path, priceUsd, requestBody, problems }) => {
    expect(text).toContain(`${method} https://touchstone.example${path}`);
    if (priceUsd === null) return;
    expect(text).toContain(`${priceUsd} US dollars`);
    expect(text).toContain(JSON.stringify(requestBody?.example));
    for (const code of problems) expect(text).toContain(`- \`${code}\` (`);
  });

  it('asks about the endpoint that it is given, and about nothing else then', () => {
    const resource = 'https://listed.example/v2/prices';
    const about = llmsText('https://touchstone.example/', { network: 'eip155:8453', resource });
    expect(about).toContain(JSON.stringify(resource));
    expect(about).not.toContain('https://api.example.com/v1/weather');
  });

  it('says on which network and by which headers it is paid', () => {
    for (const word of [
      'eip155:8453',
      'PAYMENT-REQUIRED',
      'PAYMENT-SIGNATURE',
      'PAYMENT-RESPONSE',
      'notCharged',
    ]) {
      expect(text).toContain(word);
    }
  });

  it('says where nothing is sold, and only there', () => {
    const said = 'Nothing is sold here at present';
    expect(text).not.toContain(said);
    const closed = llmsText('https://touchstone.example/', { network: 'eip155:8453', sold: false });
    expect(closed.split(said)).toHaveLength(2);
  });

  it('is short enough to be read whole', () => {
    expect(text.length).toBeLessThan(6_000);
  });
});
