import AxeBuilder from '@axe-core/playwright';
import type { Locator } from '@playwright/test';
import { expectFit, expectNoViolations } from '../support/pages/layout.ts';
import { expect, test } from '../support/site.ts';

test('the API reference has an anchor for each operation', async ({ page }) => {
  await page.goto('/docs#getHistory');
  await expect(page.locator('#getHistory')).toBeInViewport();
  await expect(page).toHaveURL(/\/docs#getHistory$/);
});

for (const width of [1280, 390]) {
  test(`the explorer is accessible on a screen of ${width} pixels, and links to alternatives on a narrow one`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/docs');
    await page.getByRole('link', { name: 'API explorer' }).click();
    await expect(page).toHaveTitle(/API explorer/);
    const explorer = page.locator('openapi-explorer');
    if (width < 1_000) {
      await expect(page.getByText('The explorer needs a wider screen')).toBeVisible();
      await expect(explorer).toHaveCount(0);
    } else {
      await expect(explorer.getByText('Touchstone').first()).toBeVisible();
      await expect(page.getByRole('main')).toHaveCount(1);
    }
    await expectFit(page);
    // The explorer component is excluded: it has scroll boxes without keyboard access, and it skips heading levels.
    await expectNoViolations(new AxeBuilder({ page }).exclude('openapi-explorer'));
  });
}

test('the buttons of the explorer have enough contrast on hover and in focus', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/docs/explorer#?route=get-/trust/leaderboard');
    const button = page
      .locator('openapi-explorer')
      .getByRole('button', { name: /execute/i })
      .first();
    await expect(button).toBeVisible();
    await expect.poll(() => measureContrast(button)).toBeGreaterThan(4.5);
    await button.hover();
    await expect.poll(() => measureContrast(button)).toBeGreaterThan(4.5);
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await button.focus();
    await expect.poll(() => measureContrast(button)).toBeGreaterThan(4.5);
  }
});

test('the explorer shows a loading error with a link to the OpenAPI document', async ({
  page,
  complaints,
}) => {
  await page.route('**/openapi-explorer-*.js', (route) => route.abort());
  await page.goto('/docs/explorer');
  const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(alert.getByRole('link')).toHaveAttribute('href', '/openapi.json');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('Failed to load resource')]);
});

test('code examples open by keyboard, one language at a time', async ({ page }) => {
  await page.goto('/docs');
  const section = page.locator('#getTrustReport');
  const curl = section.getByRole('group', { name: /in curl$/ });
  const typescript = section.getByRole('group', { name: /in TypeScript$/ });
  await expect(curl).toBeVisible();
  await section.getByText('TypeScript', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(typescript).toContainText('wrapFetchWithPaymentFromConfig');
  await expect(curl).toBeHidden();
});

test('the setup of another MCP client opens by keyboard and closes the first one', async ({ page }) => {
  await page.goto('/mcp');
  const claude = page.getByRole('group', { name: 'Claude Code, remote' });
  await expect(claude).toBeVisible();
  await page.getByText('Cursor', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Cursor, remote' })).toContainText('mcpServers');
  await expect(claude).toBeHidden();
  const link = page.getByRole('link', { name: 'Add to Cursor with one click' });
  await expect(link).toHaveAttribute('href', /^cursor:\/\//);
});

/** Measures the contrast ratio of a text and its background, from 1 to 21 (WCAG 2.2). */
function measureContrast(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    const luminance = (cssColor: string): number => {
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      if (context === null) throw new Error('The browser has no canvas');
      context.fillStyle = cssColor;
      context.fillRect(0, 0, 1, 1);
      const linear = [...context.getImageData(0, 0, 1, 1).data].map((level) => {
        const part = level / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      const [red = 0, green = 0, blue = 0] = linear;
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [one, other] = [luminance(color), luminance(backgroundColor)];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  });
}
