import { describe, expect, it } from 'vitest';
import { toHostText, toUrlText } from './classify-query.ts';

describe('toUrlText', () => {
  it.each([
    ['https://api.example.com/v1/rates?a=b', 'https://api.example.com/v1/rates?a=b'],
    ['HTTP://api.example.com', 'HTTP://api.example.com'],
    ['https://[2001:db8::1]/x', 'https://[2001:db8::1]/x'],
    ['api.example.com/v1', 'https://api.example.com/v1'],
    ['api.example.com:8443/', 'https://api.example.com:8443/'],
  ])('reads %s as a URL', (text, url) => {
    expect(toUrlText(text)).toBe(url);
  });

  it.each([
    '',
    'weather',
    'TCP/IP',
    'v1.2/rates',
    'api.example.com',
    'https://',
    'see https://a.example',
    '/v1',
  ])('reads %j as words', (text) => {
    expect(toUrlText(text)).toBeNull();
  });
});

it.each([
  ['API.Example.com', 'api.example.com'],
  ['weather', null],
  ['gpt 4.1', null],
  ['1.5', null],
  ['api.example.com/v1', null],
])('toHostText reads %s as %j', (text, host) => {
  expect(toHostText(text)).toBe(host);
});
