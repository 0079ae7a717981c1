import type { Page } from '@playwright/test';
import { FLAG_CATALOGUE, score, type ScoreInputs } from '@touchstone/trust';
import { expect, test } from '../support/site.ts';

const RESULT = 'playground-result';

/** Reads the inputs of the score formula from the playground. The playground shows these inputs as JSON. */
async function readInputs(page: Page): Promise<ScoreInputs> {
  return JSON.parse((await page.getByLabel('Inputs as JSON').textContent()) ?? '') as ScoreInputs;
}

async function readScore(page: Page): Promise<number> {
  const text = await page.getByTestId(RESULT).innerText();
  return Number(/\b\d{1,3}\.\d\b/.exec(text)?.[0]);
}

test('the header links to the methodology, which has an anchor for each flag', async ({ page }) => {
  await page.goto('/');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Methodology' }).click();
  await expect(page).toHaveURL(/\/methodology$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How the trust score is computed');
  for (const { slug, message } of FLAG_CATALOGUE) {
    await expect(page.locator(`[id="flag-${slug}"]`)).toContainText(message);
  }
  await page.goto('/methodology#flag-payto-shared');
  await expect(page.locator('[id="flag-payto-shared"]')).toBeInViewport();
});

test('changing the uptime by keyboard shows the score of the formula', async ({ page }) => {
  await page.goto('/methodology');
  const uptime = page.getByRole('slider', { name: 'Uptime' });
  await expect(uptime).toHaveValue('100');
  const before = await readScore(page);
  await page.getByRole('button', { name: 'Healthy' }).focus();
  for (
    let tabs = 0;
    tabs < 40 && !(await uptime.evaluate((slider) => slider === document.activeElement));
    tabs += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await expect(uptime).toBeFocused();
  for (let steps = 0; steps < 60; steps += 1) await page.keyboard.press('ArrowLeft');
  await expect(uptime).toHaveValue('94');
  const inputs = await readInputs(page);
  expect(inputs.probes.up).toBe(Math.round(inputs.probes.scored * 0.94));
  const verdict = score(inputs);
  expect(await readScore(page)).toBe(verdict.score);
  expect(verdict.score).toBeLessThan(before);
  await expect(page.getByText('uptime-low', { exact: true }).first()).toBeVisible();
  const playground = page.getByRole('region', { name: 'Playground' });
  await expect(playground.getByRole('status')).toContainText(`Score ${verdict.score.toFixed(1)}`);
  await page.getByRole('button', { name: 'Template', exact: true }).click();
  await expect(page.getByTestId(RESULT)).toContainText('Parameterize');
  expect(await readScore(page)).toBe(score(await readInputs(page)).score);
});

test('a shared URL opens the playground with its values', async ({ page }) => {
  await page.goto('/methodology');
  const healthy = await readScore(page);
  await page.goto('about:blank');
  await page.goto('/methodology#play:down=30');
  await expect(page.getByTestId(RESULT)).toBeInViewport();
  const shown = await readScore(page);
  expect(shown).toBe(score(await readInputs(page)).score);
  expect(shown).toBeLessThan(healthy);
});
