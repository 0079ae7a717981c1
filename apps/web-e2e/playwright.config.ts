import chromium from '@sparticuz/chromium';
import { defineConfig, devices } from '@playwright/test';

/** Chromium comes inside an npm package, so that the browser tests need nothing but npm. */
const launchOptions = {
  executablePath: await chromium.executablePath(),
  args: [
    ...chromium.args,
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
};

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
    { name: 'desktop', use: { ...devices['Desktop Chrome'], colorScheme: 'light' } },
    { name: 'phone', use: { ...devices['Pixel 7'], colorScheme: 'dark' } },
  ],
});
