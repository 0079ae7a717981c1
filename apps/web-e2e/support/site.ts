import { expect, test as base } from '@playwright/test';

interface PageChecks {
  /** Unexpected events on the page: requests to other origins, and errors in the console of the browser. */
  readonly complaints: string[];
}

/** Test of the shared service. The test fails if its page sends a request to another origin or logs an error. */
export const test = base.extend<PageChecks>({
  // The variable is read here, because global setup sets it after the main process has loaded the configuration.
  baseURL: ({}, use) => use(process.env['TOUCHSTONE_URL']),
  complaints: [
    async ({ page, baseURL }, use) => {
      const complaints: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(baseURL ?? '')) complaints.push(`request to ${request.url()}`);
      });
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
