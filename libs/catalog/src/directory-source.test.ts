import { describe, expect, it } from 'vitest';
import { pageAddress, PUBLIC_DIRECTORIES, readDirectorySource } from './directory-source.ts';

describe('a directory in a configuration', () => {
  it('is named after its address, or by its operator', () => {
    expect(readDirectorySource('https://d.example/x402/')).toEqual({
      name: 'https://d.example/x402',
      url: 'https://d.example/x402',
      pageSize: undefined,
    });
    expect(readDirectorySource('mine=https://d.example/x402?limit=100')).toEqual({
      name: 'mine',
      url: 'https://d.example/x402',
      pageSize: 100,
    });
  });

  it('that is public keeps its name and its page size', () => {
    for (const directory of PUBLIC_DIRECTORIES) expect(readDirectorySource(directory.url)).toEqual(directory);
    expect(new Set(PUBLIC_DIRECTORIES.map(({ name }) => name)).size).toBe(PUBLIC_DIRECTORIES.length);
  });

  it.each([
    '',
    'directory',
    'ftp://d.example',
    'https://d.example?limit=0',
    'https://d.example?limit=1001',
    'https://d.example?limit=all',
  ])('is not %j', (text) => {
    expect(readDirectorySource(text)).toBeNull();
  });
});

describe('the address of a page', () => {
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
  ])('of %s', (base, address) => {
    expect(pageAddress(base, { limit: 100, offset: 200 })).toBe(address);
  });
});
