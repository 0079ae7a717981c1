import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { ExactEvmScheme } from '@x402/evm';
import type { Page } from '@playwright/test';
import { privateKeyToAccount } from 'viem/accounts';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/pages/figure.ts';
import { readDemoWalletKey } from '../support/service-files.ts';
import { expect, test } from '../support/site.ts';

const getVerdict = (page: Page) => page.getByRole('region', { name: 'Verdict', exact: true });

for (const [state, cause, resource] of [
  ['Down', 'HTTP 410 Gone.', 'https://retiree.sandbox.test/v1/stocks/tips'],
  ['Down', 'HTTP 404 Not Found.', 'https://sunset.sandbox.test/api/v1/tweets/search'],
  ['Down', 'HTTP 503 Service Unavailable.', 'https://moonbeam.sandbox.test/v1/horoscope/daily'],
  ['Down', 'The host name does not resolve.', 'https://oldharbor.sandbox.test/v1/auctions/results'],
  [
    'Down',
    /TLS certificate expired on \d{4}-\d{2}-\d{2}\./,
    'https://certlapse.sandbox.test/v1/emails/verify',
  ],
  ['Down', /The TLS certificate is valid for .+, not for /, 'https://crosswire.sandbox.test/v1/ip/locate'],
  ['Down', /is not trusted: it is self-signed\./, 'https://homebrew.sandbox.test/v1/recipes/suggest'],
  ['Down', 'The connection was refused.', 'https://stillwater.sandbox.test/v1/rivers/level'],
  ['Down', /No response within \d+ seconds\./, 'https://brightmap.sandbox.test/v1/solar/yield'],
  [
    'No successful probe',
    'The endpoint redirects to https://waypoint.sandbox.test/v2/routes/plan (HTTP 30',
    'https://waypoint.sandbox.test/v1/routes/plan',
  ],
  ['No successful probe', 'HTTP 403 Forbidden.', 'https://gatekeeper.sandbox.test/v1/leads/enrich'],
] as const) {
  test(`the page of ${resource} says why and since when it fails`, async ({ page }) => {
    await page.goto(toEndpointPath(resource));
    await expect(getVerdict(page)).toContainText(
      new RegExp(`${state} since \\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2} UTC: `),
    );
    await expect(getVerdict(page)).toContainText(cause);
  });
}

test('a healthy endpoint has no failure', async ({ page }) => {
  await page.goto(toEndpointPath('https://fxline.sandbox.test/v1/rates/latest'));
  await expect(getVerdict(page)).toBeVisible();
  await expect(getVerdict(page)).not.toContainText(/since|Last failure/);
});

test('an endpoint that a paid report added is not called listed', async ({ page, baseURL }) => {
  const listed = 'https://fxline.sandbox.test/v1/rates/latest';
  const resource = `${listed}?base=CHF`;
  const client = new ExactEvmScheme(privateKeyToAccount(readDemoWalletKey()));
  const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network: 'eip155:8453', client }] });
  const response = await pay(`${baseURL ?? ''}/v1/x402-trust`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resource }),
  });
  expect(await response.json()).toMatchObject({
    resource,
    listing: { source: 'adopted' },
    related: { resource: listed },
  });
  await expect(async () => {
    expect((await page.goto(toEndpointPath(resource)))?.status()).toBe(200);
  }).toPass({ timeout: 60_000 });
  await expect(
    page.getByText('No directory lists this endpoint. It was added by a paid report.'),
  ).toBeVisible();
  await expect(figure(page, 'Directory')).toHaveText('Not listed');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
});
