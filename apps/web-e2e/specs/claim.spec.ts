import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { expectAccessible, expectFit } from '../support/pages/layout.ts';
import { expect, test } from '../support/site.ts';

const HOST = 'mimeless.sandbox.test';

/** Lets the simulated host serve a text in its file for claims; null removes the file. */
async function publish(text: string | null): Promise<void> {
  const note = readFileSync(join(process.env['TOUCHSTONE_DATA_DIR'] ?? '', 'sandbox.json'), 'utf8');
  const { controlUrl } = z.object({ controlUrl: z.url() }).parse(JSON.parse(note));
  const file = encodeURIComponent(`https://${HOST}/.well-known/touchstone.txt`);
  const response = await fetch(new URL(`/files?url=${file}`, controlUrl), {
    method: text === null ? 'DELETE' : 'PUT',
    ...(text === null
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) }),
  });
  expect(response.status).toBe(200);
}

test('a provider claims a host, announces maintenance, and ends the claim', async ({ page, complaints }) => {
  await page.goto(`/provider/${HOST}`);
  await page.getByRole('link', { name: 'Claim this host' }).click();
  await expect(page.getByLabel('Host of your endpoints')).toHaveValue(HOST);
  await page.getByRole('button', { name: 'Create a claim' }).click();
  const line = await page.getByText(/^touchstone-claim=c_[a-z2-7]{26}$/).textContent();
  const secret = await page.getByText(/^csk_[\w-]{43}$/).textContent();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByRole('alert')).toContainText(`The line ${line ?? ''} was found neither in`);
  // The browser logs the error status of the refused verification.
  complaints.splice(0);
  await publish(line);
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByText('found in the file')).toBeVisible();

  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Start (UTC)').fill(`${day}T22:00`);
  await page.getByLabel('End (UTC)').fill(`${day}T23:00`);
  await page.getByLabel('Reason').fill('Database upgrade.');
  await page.getByRole('button', { name: 'Announce the maintenance' }).click();
  await expect(page.getByText('“Database upgrade.”')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expectFit(page);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Lock and remove the secret' }).click();
  await page.getByLabel('Claim id').fill((line ?? '').replace('touchstone-claim=', ''));
  await page.getByLabel('Secret').fill(secret ?? '');
  await page.getByRole('button', { name: 'Open the claim' }).click();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'End this claim' }).click();
  await expect(page.getByText('you ended it')).toBeVisible();
  await publish(null);
});
