import { describe, expect, test } from 'vitest';
import { useTestSandbox } from '../testing/test-sandbox.ts';

const sandbox = useTestSandbox();

function get(path: string, init?: RequestInit) {
  return fetch(`${sandbox.ready.receiverUrl}${path}`, init);
}

async function readPage() {
  return (await get('/')).text();
}

function send(url: string, message: object) {
  return sandbox.request(url, { method: 'POST', body: JSON.stringify(message) });
}

describe('the page', () => {
  test('names the hosts of the receiver while there are no deliveries', async () => {
    const page = await readPage();
    for (const host of ['receiver', 'slack', 'discord'])
      expect(page).toContain(`https://${host}.sandbox.test`);
    expect(page).toContain('No deliveries yet.');
  });

  test('shows deliveries newest first, with event, path, status, headers and body', async () => {
    await send('https://receiver.sandbox.test/hooks/one', {
      type: 'payto_change',
      data: { summary: 'payTo changed.' },
    });
    await send('https://slack.sandbox.test/fail/403', { text: 'Chat text' });
    const page = await readPage();
    const articles = page.split('<article').slice(1);
    expect(articles).toHaveLength(2);
    expect(articles[0]).toContain('Message to Slack');
    expect(articles[0]).toContain('slack.sandbox.test/fail/403');
    expect(articles[0]).toContain('refused with status 403');
    expect(articles[0]).toContain('<p class="text">Chat text</p>');
    expect(articles[1]).toContain('<h2>payto_change</h2>');
    expect(articles[1]).toContain('receiver.sandbox.test/hooks/one');
    expect(articles[1]).toContain('accepted with status 200');
    expect(articles[1]).toContain('content-type: application/json');
    expect(articles[1]).toContain('&quot;type&quot;: &quot;payto_change&quot;');
    expect(page).toContain('2 deliveries, newest first.');
  });

  test('escapes everything that a sender controls', async () => {
    const attack = `<img src=x onerror="alert('1')">&`;
    await send(`https://receiver.sandbox.test/${encodeURIComponent(attack)}"'><b>`, {
      type: attack,
      data: { summary: attack },
    });
    await send('https://discord.sandbox.test/x', { content: attack });
    const page = await readPage();
    expect(page).not.toContain('<img');
    expect(page).not.toContain('<b>');
    expect(page).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;');
  });

  test('loads only its own script and style sheet', async () => {
    const response = await get('/');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain('<script type="module" src="/refresh.js"></script>');
    expect((await get('/refresh.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await get('/style.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  test('responds only to GET requests for its paths', async () => {
    expect((await get('/', { method: 'POST' })).status).toBe(405);
    expect((await get('/other')).status).toBe(404);
  });
});
