import type { Locator, Page } from '@playwright/test';

/** A figure of the page by its label: the value that follows it. */
export function figure(page: Page, label: string | RegExp): Locator {
  return page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd[1]');
}
