import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDemoWalletKey } from '../support/service-files.ts';
import { expect, test } from '../support/searchable-service.ts';

/** The example programs run in a folder below this one, so that Node finds the packages that they import. */
const HERE = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(HERE, 'example-'));
});
test.afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

for (const [id, expected] of [
  ['getTrustReport', { schemaType: 'x402-trust' }],
  ['getHistory', { days: 30 }],
  ['searchEndpoints', { query: 'weather forecast for a city' }],
  ['findAlternatives', { alternatives: expect.any(Array) as unknown[] }],
  ['getTrustBulk10', { schemaType: 'x402-trust-bulk' }],
  ['createWatch', { secret: expect.stringMatching(/^wsk_/) as unknown }],
] as const) {
  test(`the TypeScript example of ${id} works unchanged`, async ({ page }) => {
    await page.goto('/docs');
    const code = await page.locator(`#${id} pre[aria-label$="in TypeScript"]`).textContent();
    const file = join(folder, `${id}.ts`);
    writeFileSync(file, code ?? '');
    const output = execFileSync(process.execPath, [file], {
      env: { ...process.env, PRIVATE_KEY: readDemoWalletKey() },
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toMatchObject(expected);
  });

  test(`the curl example of ${id} shows the payment challenge`, async ({ page }) => {
    await page.goto('/docs');
    const code = await page.locator(`#${id} pre[aria-label$="in curl"]`).textContent();
    const output = execFileSync('sh', ['-c', (code ?? '').replace('curl ', 'curl -sS ')], {
      encoding: 'utf8',
    });
    expect(output).toMatch(/^HTTP\/1\.1 402 /);
    expect(output.toLowerCase()).toContain('payment-required: ');
  });
}
