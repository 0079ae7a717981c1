import chromium from '@sparticuz/chromium';
import { defineConfig, devices } from '@playwright/test';

/** Chromium is installed as part of an npm package, so the browser tests need no other installation. */
const launchOptions = {
  executablePath: await chromium.executablePath(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
};

// The build stage has built the site. Several services start at once, and each of them would restore the build from
// the cache of Nx while another one uses it.
process.env['SITE_BUILD'] = 'skip';

/**
 * Specs that start their own service or need none. They run first, because they need not wait until the shared service
 * has simulated its history.
 */
const OWN_SERVICE = [
  '**/attacks.spec.ts',
  '**/lifecycle.spec.ts',
  '**/listening-sockets.spec.ts',
  '**/live.spec.ts',
  '**/receiver.spec.ts',
  '**/restarts.spec.ts',
  '**/search-off.spec.ts',
  '**/site-build.spec.ts',
  '**/site-instances.spec.ts',
];
/** Specs of page layout and interaction. They run on a desktop screen and on a phone screen. */
const LAYOUT = [
  '**/docs.spec.ts',
  '**/endpoint.spec.ts',
  '**/explore.spec.ts',
  '**/layout.spec.ts',
  '**/mcp-page.spec.ts',
  '**/methodology.spec.ts',
  '**/pages.spec.ts',
  '**/provider.spec.ts',
  '**/statistics.spec.ts',
  '**/watch.spec.ts',
];

export default defineConfig({
  testDir: 'specs',
  outputDir: '../../test-results/web-e2e',
  globalSetup: './support/global-setup.ts',
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env['CI']),
  // The result of `npm test` names each test that passed only on its retry.
  retries: process.env['CI'] ? 1 : 0,
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['line'], ['json']] : 'line',
  use: { launchOptions, trace: 'off' },
  projects: [
    { name: 'own-service', testMatch: OWN_SERVICE },
    {
      name: 'desktop',
      testIgnore: OWN_SERVICE,
      use: { ...devices['Desktop Chrome'], colorScheme: 'light' },
    },
    { name: 'phone', testMatch: LAYOUT, use: { ...devices['Pixel 7'], colorScheme: 'dark' } },
  ],
});
