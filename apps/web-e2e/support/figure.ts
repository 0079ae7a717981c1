import type { Locator, Page } from '@playwright/test';

/** Locates a figure of the page: the value after the label. */
export function figure(page: Page, label: string | RegExp): Locator {
  return page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd[1]');
}
