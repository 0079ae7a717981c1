import { expect, test as base } from '@playwright/test';

interface Watched {
  /** Requests that left the site, and what the console complained of. */
  readonly complaints: string[];
}

/** A page that fails its test when it asks anybody else for something, or when its console has an error. */
export const test = base.extend<Watched>({
  baseURL: ({}, use) => use(process.env['TOUCHSTONE_URL']),
  complaints: [
    async ({ page, baseURL }, use) => {
      const complaints: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(baseURL ?? '')) complaints.push(`asked ${request.url()}`);
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
