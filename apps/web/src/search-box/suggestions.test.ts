import { describe, expect, it } from 'vitest';
import { countSuggestions, toGroups } from './suggestions.ts';

const NONE = { endpoints: [], hosts: [], tags: [] };

describe('toGroups', () => {
  it('groups suggestions by their kind, each with the page that it opens', () => {
    const groups = toGroups({
      endpoints: [
        { slug: 'a-abcdefgh27', resource: 'https://a.example/x', serviceName: 'Rates', grade: 'A' },
        { slug: 'b-abcdefgh27', resource: 'https://b.example/y', serviceName: null, grade: '?' },
      ],
      hosts: [{ host: 'a.example:8443', endpoints: 1_200 }],
      tags: [{ tag: 'r&d, fx', endpoints: 1 }],
    });
    expect(groups).toEqual([
      {
        label: 'Endpoints',
        items: [
          { href: '/endpoint/a-abcdefgh27', text: 'a.example/x', note: 'Rates', grade: 'A' },
          { href: '/endpoint/b-abcdefgh27', text: 'b.example/y', note: 'Ungraded', grade: '?' },
        ],
      },
      {
        label: 'Providers',
        items: [{ href: '/provider/a.example%3A8443', text: 'a.example:8443', note: '1,200 endpoints' }],
      },
      { label: 'Tags', items: [{ href: '/explore?tag=r%26d,+fx', text: 'r&d, fx', note: '1 endpoint' }] },
    ]);
    expect(countSuggestions(groups)).toBe('4 suggestions');
  });

  it('leaves out empty groups', () => {
    expect(toGroups(NONE)).toEqual([]);
    const one = toGroups({ ...NONE, tags: [{ tag: 'fx', endpoints: 2 }] });
    expect(one.map(({ label }) => label)).toEqual(['Tags']);
    expect(countSuggestions(one)).toBe('1 suggestion');
  });
});
