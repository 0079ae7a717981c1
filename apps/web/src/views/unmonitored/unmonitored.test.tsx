import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { Unmonitored } from './unmonitored.tsx';

const URL_PARTS = { resource: "https://new.example.com/it's/x?a=1", host: null, fault: null };
const render = (url: Partial<typeof URL_PARTS> | { host: string } | { fault: string }, baseUrl: string) =>
  renderToStaticMarkup(<Unmonitored baseUrl={baseUrl} url={{ ...URL_PARTS, ...url }} />);

it('has the command of a clone or of the npm package, quoted for the shell, and the price of a report', () => {
  const local = extractText(render({}, 'http://localhost:3000'));
  expect(local).toContain(`npx --no-install touchstone lint 'https://new.example.com/it'\\''s/x?a=1'`);
  const live = extractText(render({}, 'https://touchstone.example'));
  expect(live).toContain(`npx @touchstone/cli lint 'https://new.example.com/it'\\''s/x?a=1'`);
  expect(live).toMatch(/Buy the first report for \$\d/);
  expect(live).toContain(
    `npx @touchstone/cli buy trust 'https://new.example.com/it'\\''s/x?a=1' --service https://touchstone.example`,
  );
});

it('leads to the other endpoints of the host, and to the search for its words', () => {
  const html = render({ host: 'new.example.com' }, 'https://touchstone.example');
  expect(html).toContain('href="/provider/new.example.com"');
  expect(html).toContain('href="/explore?q=new+example+com+it+s+x+a+1"');
  expect(render({}, 'https://touchstone.example')).not.toContain('/provider/');
});

it('says why a URL cannot be monitored, and offers no check', () => {
  const text = extractText(render({ fault: 'the host is localhost' }, 'https://touchstone.example'));
  expect(text).toContain('cannot monitor the URL, because the host is localhost.');
  expect(text).not.toContain('Buy the first report');
});
