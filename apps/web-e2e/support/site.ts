import { expect, test as base } from './shared-service.ts';

interface PageChecks {
  /** Requests to other origins, and errors of the browser's console. */
  readonly complaints: string[];
}

/** A test whose page must send no request to another origin and log no error. */
export const test = base.extend<PageChecks>({
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
