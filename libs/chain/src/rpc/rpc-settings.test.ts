import { describe, expect, test } from 'vitest';
import { rpcSettingsSchema } from '../index.ts';

const parse = (text: string) => {
  const result = rpcSettingsSchema.safeParse(text);
  return result.success ? Object.fromEntries(result.data) : result.error.issues.map(({ message }) => message);
};

describe('rpcSettingsSchema', () => {
  test('accepts networks by id or by name, with URLs in order of preference', () => {
    expect(
      parse(
        ' eip155:8453=https://a.test/key,https://b.test 137=http://127.0.0.1:8545\n solana=https://c.test ',
      ),
    ).toEqual({
      'eip155:8453': ['https://a.test/key', 'https://b.test/'],
      'eip155:137': ['http://127.0.0.1:8545/'],
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': ['https://c.test/'],
    });
    expect(parse('')).toEqual({});
  });

  test.each([
    ['base', 'each entry must be <network>=<url>'],
    ['base=', 'each entry must be <network>=<url>'],
    [
      'eip155:99999999=https://a.test',
      '"eip155:99999999" is not an EVM or Solana network with a known USDC token',
    ],
    ['stellar:pubnet=https://a.test', '"stellar:pubnet" is not an EVM or Solana network'],
    ['base=https://a.test,SECRET', 'URL 2 of eip155:8453 is not an http or https URL'],
    ['base=ftp://SECRET.test', 'URL 1 of eip155:8453 is not an http or https URL'],
    ['base=https://a.test eip155:8453=https://b.test', 'eip155:8453 is given twice'],
  ])('rejects %s with the message "%s"', (text, message) => {
    const messages = parse(text);
    expect(messages).toEqual([expect.stringContaining(message)]);
    expect(JSON.stringify(messages)).not.toContain('SECRET');
  });
});
