import { describe, expect, it } from 'vitest';
import { toPageUrl, PUBLIC_DIRECTORIES, parseDirectorySource } from './directory-source.ts';

describe('a directory in a configuration', () => {
  it('has its URL or the configured text as name', () => {
    expect(parseDirectorySource('https://d.example/x402/')).toEqual({
      name: 'https://d.example/x402',
      url: 'https://d.example/x402',
      pageSize: undefined,
    });
    expect(parseDirectorySource('mine=https://d.example/x402?limit=100')).toEqual({
      name: 'mine',
      url: 'https://d.example/x402',
      pageSize: 100,
    });
  });

  it('that is public has its known name and page size', () => {
    for (const directory of PUBLIC_DIRECTORIES)
      expect(parseDirectorySource(directory.url)).toEqual(directory);
    expect(new Set(PUBLIC_DIRECTORIES.map(({ name }) => name)).size).toBe(PUBLIC_DIRECTORIES.length);
  });

  it.each([
    '',
    'directory',
    'ftp://d.example',
    'https://d.example?limit=0',
    'https://d.example?limit=1001',
    'https://d.example?limit=all',
  ])('is rejected: %j', (text) => {
    expect(parseDirectorySource(text)).toBeNull();
  });
});

describe('the URL of a page', () => {
  it.each([
    ['https://d.example', 'https://d.example/discovery/resources?type=http&limit=100&offset=200'],
    ['https://d.example/x402//', 'https://d.example/x402/discovery/resources?type=http&limit=100&offset=200'],
    [
      'https://d.example/bazaar/resources',
      'https://d.example/bazaar/resources?type=http&limit=100&offset=200',
    ],
    [
      'https://d.example/?key=a',
      'https://d.example/discovery/resources?key=a&type=http&limit=100&offset=200',
    ],
  ])('of %s', (base, expected) => {
    expect(toPageUrl(base, { limit: 100, offset: 200 })).toBe(expected);
  });
});
