import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from '../support/pages/layout.ts';

const SANDBOX = fileURLToPath(new URL('../../sandbox/src/main.ts', import.meta.url));
const readySchema = z.object({ receiverUrl: z.url(), tlsPort: z.int(), caFile: z.string() });

let folder: string;
let child: ChildProcess;
let ready: z.infer<typeof readySchema>;
test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-receiver-'));
  child = spawn(process.execPath, [SANDBOX], {
    env: { SANDBOX_DATA_DIR: folder, SANDBOX_CHAIN: 'off' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const messages: unknown[] = await once(child, 'message');
  ready = readySchema.parse(messages[0]);
});
test.afterEach(async () => {
  if (child.exitCode === null && child.kill()) await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

/** Sends a message to a host name of the receiver. The receiver is the sandbox server that receives alerts. */
async function send(host: string, message: object): Promise<void> {
  const { tlsPort: port, caFile } = ready;
  const outgoing = request({
    host: '127.0.0.1',
    port,
    servername: host,
    headers: { host },
    method: 'POST',
    path: '/',
    ca: readFileSync(caFile),
    agent: false,
  });
  outgoing.end(JSON.stringify(message));
  const [response] = z.tuple([z.custom<NodeJS.ReadableStream>()]).parse(await once(outgoing, 'response'));
  response.resume();
  await once(response, 'end');
}

test('new alerts appear on the page of the sandbox on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await send('receiver.sandbox.test', { type: 'price_change', data: { summary: 'Ten times as high.' } });
  await page.goto(ready.receiverUrl);
  const details = page.getByRole('article').filter({ hasText: 'price_change' }).getByRole('group');
  await details.getByText('Headers and body').press('Enter');
  await expect(details).toHaveAttribute('open');

  await send('slack.sandbox.test', { text: '<img src=x onerror=alert(1)>' });
  const titles = page.getByRole('article').getByRole('heading');
  await expect(titles).toHaveText(['Message to Slack', 'price_change']);
  await expect(page.getByRole('status')).toHaveText('2 deliveries, newest first.');
  await expect(page.getByText('<img src=x onerror=alert(1)>').first()).toBeVisible();
  // After a refresh of the page, the `details` element is still open and focused.
  await expect(details).toHaveAttribute('open');
  await expect(details.locator('summary')).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);

  child.kill();
  await expect(page.getByRole('status')).toHaveText('The sandbox does not respond.');
});
