import { expect, test } from '../support/site.ts';

test('the front page links to the page, which has the setup of every client without JavaScript', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL ?? ''}/`);
  await page.getByRole('main').getByRole('link', { name: 'Connect it over MCP' }).click();
  await expect(page).toHaveURL(/\/mcp$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connect an agent');
  await expect(page.getByRole('group', { name: 'URL of the MCP server' })).toHaveText(`${baseURL ?? ''}/mcp`);
  await expect(page.getByRole('group', { name: 'Claude Code, remote' })).toHaveText(
    `claude mcp add --transport http touchstone ${baseURL ?? ''}/mcp`,
  );
  const table = page.getByRole('region', { name: 'Table of tools' });
  await expect(table.getByRole('row').filter({ hasText: 'x402_trust_score' })).toContainText('$0.005');
  await expect(table.getByRole('row').filter({ hasText: 'x402_summary' })).toContainText('free');
  await context.close();
});

test('the setup of another client opens by keyboard and closes the first one', async ({ page }) => {
  await page.goto('/mcp');
  const claude = page.getByRole('group', { name: 'Claude Code, remote' });
  const cursor = page.getByRole('group', { name: 'Cursor, remote' });
  await expect(claude).toBeVisible();
  await page.getByText('Cursor', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(cursor).toContainText('mcpServers');
  await expect(claude).toBeHidden();
  await expect(page.getByRole('link', { name: 'Add to Cursor with one click' })).toHaveAttribute(
    'href',
    /^cursor:\/\//,
  );
});

test('every link of the page leads to an existing page or document', async ({ page, request }) => {
  await page.goto('/mcp');
  const targets = await page
    .getByRole('main')
    .locator('a[href^="/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(targets.length).toBeGreaterThan(15);
  const reference = await (await request.get('/docs')).text();
  for (const target of new Set(targets)) {
    const [path = '', anchor] = target.split('#');
    if (anchor === undefined) expect((await request.get(path)).status(), path).toBe(200);
    else expect(reference).toContain(`id="${anchor}"`);
  }
});

test('the page shares its URL with the MCP server', async ({ request }) => {
  const page = await request.get('/mcp', { headers: { accept: 'text/html' } });
  expect(page.status()).toBe(200);
  expect(page.headers()['content-type']).toContain('text/html');
  expect(page.headers()['vary']).toContain('Accept');
  const preview = await request.get('/mcp', { headers: { accept: '*/*' } });
  expect(preview.status()).toBe(200);
  expect(preview.headers()['content-type']).toContain('text/html');
  for (const accept of ['application/json', 'text/event-stream']) {
    const other = await request.get('/mcp', { headers: { accept } });
    expect(other.headers()['content-type'] ?? '').not.toContain('text/html');
  }
});
