import chromium from '@sparticuz/chromium';
import { defineConfig, devices } from '@playwright/test';

/** Chromium comes inside an npm package, so that the browser tests need nothing but npm. */
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

/** What is looked at on every screen; the rest needs no screen. */
const PAGES = ['**/docs.spec.ts', '**/methodology.spec.ts', '**/pages.spec.ts', '**/verdicts.spec.ts'];

export default defineConfig({
  testDir: 'specs',
  outputDir: '../../test-results/web-e2e',
  globalSetup: './support/global-setup.ts',
  workers: 1,
  timeout: 30_000,
  forbidOnly: Boolean(process.env['CI']),
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['line'], ['json']] : 'line',
  use: { launchOptions, trace: 'off' },
  projects: [
    {
      name: 'desktop',
      testMatch: PAGES,
      use: { ...devices['Desktop Chrome'], colorScheme: 'light' },
    },
    { name: 'phone', testMatch: PAGES, use: { ...devices['Pixel 7'], colorScheme: 'dark' } },
    { name: 'service', testIgnore: PAGES },
  ],
});
