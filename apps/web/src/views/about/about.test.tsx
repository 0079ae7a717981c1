import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { About } from './about.tsx';
import { createSecurityText } from './security-text.ts';

const UNSET = {
  ...{ operatorName: undefined, apiContact: undefined, privacyPolicyUrl: undefined },
  securityContact: undefined,
};

it('names the operator, its contacts and its privacy policy', () => {
  const html = renderToStaticMarkup(
    <About
      operator={{
        ...{ operatorName: 'Example <Ltd>', apiContact: { email: 'help@touchstone.example' } },
        privacyPolicyUrl: 'https://touchstone.example/privacy',
        securityContact: { url: 'https://touchstone.example/security' },
      }}
      notice="Moved. Old links <work>."
    />,
  );
  expect(html).toContain('is run by Example &lt;Ltd&gt;.');
  expect(extractText(html)).toContain('report a wrong verdict, write to help@touchstone.example');
  expect(html).toContain('Moved. Old links &lt;work&gt;.');
  for (const url of [
    'mailto:help@touchstone.example',
    'https://touchstone.example/privacy',
    'https://touchstone.example/security',
  ])
    expect(html).toContain(`href="${url}"`);
});

it('says what is not configured', () => {
  const text = extractText(renderToStaticMarkup(<About operator={UNSET} notice={null} />));
  expect(text).toContain('has not published a name.');
  expect(text).toContain('has not published a contact. The setting API_CONTACT publishes one.');
  expect(text).toContain('This installation has no other channel to ask for it.');
  expect(text).not.toContain('security.txt');
  expect(text).not.toContain('About this site');
});

it('creates a security.txt that expires in less than a year, at the start of a month', () => {
  const now = Date.parse('2026-11-28T03:00:00Z');
  expect(createSecurityText('mailto:a@b.example', 'https://touchstone.example', now)).toBe(
    [
      'Contact: mailto:a@b.example',
      'Expires: 2027-05-01T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://touchstone.example/.well-known/security.txt',
      '',
    ].join('\n'),
  );
});
