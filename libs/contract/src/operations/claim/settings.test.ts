import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readMessages } from '../../testing/schema-checks.ts';
import { claimEditRequestSchema } from './settings.ts';

const input = z.object({ body: claimEditRequestSchema });
const window = { starts_at: '2026-06-07T22:00Z', ends_at: '2026-06-07T23:00:00.5Z', text: 'Upgrade.' };

describe('an edit of a claim', () => {
  it('has times in UTC, and applies to all endpoints of the host by default', () => {
    expect(claimEditRequestSchema.parse({ maintenance: [window] })).toEqual({
      maintenance: [
        {
          ...{ resource: null, text: 'Upgrade.' },
          ...{ starts_at: '2026-06-07T22:00:00.000Z', ends_at: '2026-06-07T23:00:00.500Z' },
        },
      ],
    });
  });

  it.each(['security@example.com', 'https://example.com/security', null])(
    'accepts the contact %j',
    (contact) => {
      expect(readMessages(input, { body: { contact } })).toEqual([]);
    },
  );

  it.each([
    ...['', 'security', 'http://example.com/', 'https://user@example.com/', 'javascript:alert(1)'],
    ...['a@b.example, c@d.example', 'a@exämple.com', `https://example.com/${'a'.repeat(200)}`],
  ])('refuses the contact %j', (contact) => {
    expect(readMessages(input, { body: { contact } })).toEqual([
      expect.stringMatching(/^`contact` must be an e-mail address or an https URL of at most 200 visible/),
    ]);
  });

  it.each<readonly [object, string]>([
    [{}, 'The request body must be an object with at least one of `contact`, `opt_out`'],
    [{ opt_out: 'yes' }, '`opt_out` must be true or false; received "yes".'],
    [
      { maintenance: [{ ...window, starts_at: '2026-04-31T22:00Z' }] },
      '`maintenance.0.starts_at` must be a time in UTC',
    ],
    [
      { maintenance: [{ ...window, ends_at: '2026-06-07' }] },
      '`maintenance.0.ends_at` must be a time in UTC',
    ],
    [
      { maintenance: [{ ...window, text: 'See evil.example' }] },
      '`maintenance.0.text` must be plain text without a domain or a file name: remove or rephrase',
    ],
    [
      { statements: [{ resource: 'https://a.example/', subject: 'Down now', text: 'Ok.' }] },
      '`statements.0.subject` must be the name of a flag',
    ],
  ])('explains the mistake of %j', (body, message) => {
    expect(readMessages(input, { body })).toEqual([expect.stringContaining(message)]);
  });
});
