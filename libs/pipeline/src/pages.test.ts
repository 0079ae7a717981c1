import { expect, it } from 'vitest';
import { toPageTags, toProviderTag } from './pages.ts';

it('has one tag for each endpoint and each host, and the tags of the shared pages', () => {
  const hosts = ['a.example.com', 'b.example.com', 'a.example.com'];
  expect(toPageTags({ endpointIds: ['one', 'two', 'three'], hosts })).toEqual([
    'leaderboard',
    'events',
    'provider:a.example.com',
    'provider:b.example.com',
    'endpoint:one',
    'endpoint:two',
    'endpoint:three',
  ]);
});

it('has a tag of at most 256 characters for the longest host', () => {
  expect(toProviderTag(`${'a.'.repeat(126)}b`)).toHaveLength(256);
});

it('has no tag when no endpoint changed', () => {
  expect(toPageTags({ endpointIds: [], hosts: [] })).toEqual([]);
});
