import { describe, expect, it } from 'vitest';
import { readUrl } from './read-source.ts';

const isPublic = true;

describe('readUrl', () => {
  it.each(['https://api.example.com/v1', 'http://127.0.0.1:8080/', 'http://[::1]/', 'https://example.com./'])(
    'accepts %s',
    (text) => {
      expect(readUrl(text, { isPublic }).href).toBe(text);
    },
  );

  it.each([
    'http://localhost:8080/paid',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://shop.localhost/',
    'https://printer.local/',
    'https://intranet/pay',
  ])('suggests --allow-private for the local name in %s', (text) => {
    expect(() => readUrl(text, { isPublic })).toThrow('--allow-private');
    expect(readUrl(text, { isPublic: false }).href).toBe(new URL(text).href);
  });

  it.each(['https://ann:secret@api.example.com/', 'https://ann@api.example.com/'])(
    'rejects credentials in %s',
    (text) => {
      expect(() => readUrl(text, { isPublic })).toThrow('The URL contains a user name or a password');
    },
  );

  it.each([
    'ftp://ann:secret@example.com/',
    'ann:secret@example.com',
    'https://ann:sec/ret@',
    '//a:secret@x:y',
  ])('never prints the password of %s', (text) => {
    expect(() => readUrl(text, { isPublic })).toThrow(
      /^(?!.*secret)(?!.*sec\/).* is not an http or https URL/,
    );
  });
});
