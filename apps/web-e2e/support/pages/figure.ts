import type { Locator, Page } from '@playwright/test';

/** Locates a figure on the page by its label. The result is the value that follows the label. */
export function figure(page: Page, label: string | RegExp): Locator {
  return page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd[1]');
}
