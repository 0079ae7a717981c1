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

/** Test files that run on a phone only. */
const PHONE_ONLY = '**/phone.spec.ts';
/** Test files that run on a phone. All test files but `PHONE_ONLY` run on a desktop screen. */
const PHONE = [PHONE_ONLY, '**/explore.spec.ts', '**/layout.spec.ts'];

export default defineConfig({
  testDir: 'specs',
  outputDir: '../../test-results/web-e2e',
  globalSetup: './support/shared/shared-service.ts',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env['CI']),
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['line'], ['../../tools/test/playwright-counts.ts']],
  use: { launchOptions, trace: 'off' },
  projects: [
    { name: 'desktop', testIgnore: PHONE_ONLY, use: { ...devices['Desktop Chrome'], colorScheme: 'light' } },
    { name: 'phone', testMatch: PHONE, use: { ...devices['Pixel 7'], colorScheme: 'dark' } },
  ],
});
