import { expect, test } from '../support/site.ts';

const FAULTY = 'https://nodomain.sandbox.test/v1/qr/generate';

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a seller checks an endpoint, and its page keeps the result', async ({ page }) => {
    await page.goto('/check');
    await page.getByLabel('URL of the endpoint').fill(FAULTY.replace('https://', ''));
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page).toHaveURL(`/check?url=${encodeURIComponent(FAULTY)}`);
    await expect(page.getByText('Do this first:')).toBeVisible();
    await expect(page.locator('#rule-v2-eip712-domain')).toContainText(
      'Your response, header PAYMENT-REQUIRED',
    );
    await expect(page.getByLabel('Repaired route, Express')).toBeVisible();
    await page.getByLabel('FastAPI', { exact: true }).check();
    await expect(page.getByLabel('Repaired route, FastAPI')).toBeVisible();
    await expect(page.getByLabel('Repaired route, Express')).toBeHidden();
    const checked = await page.locator('time').first().getAttribute('datetime');
    await page.getByRole('button', { name: 'Check again' }).click();
    expect(await page.locator('time').first().getAttribute('datetime')).toBe(checked);
  });

  test('the page of a URL sends it no request, and explains a URL that cannot be checked', async ({
    page,
  }) => {
    await page.goto('/check?url=https%3A%2F%2Fgarble.sandbox.test%2Fv1%2Fpasswords%2Faudit%3Fnever');
    await expect(page.getByText('This URL was not checked in the last 24 hours.')).toBeVisible();
    await page.goto('/check');
    await page.getByLabel('URL of the endpoint').fill('http://localhost:8080/');
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByRole('alert')).toContainText('This URL cannot be checked, because');
    await expect(page.getByLabel('URL of the endpoint')).toHaveValue('http://localhost:8080/');
  });
});
