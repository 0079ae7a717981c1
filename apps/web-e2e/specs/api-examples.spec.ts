import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { visitorKey } from '../support/whereabouts.ts';
import { expect, test } from '../support/shared-service.ts';

/** Programs are run beside the tests, where the packages that they name are installed. */
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
] as const) {
  test(`the TypeScript example of ${id} buys as it stands on the page`, async ({ page }) => {
    await page.goto('/docs');
    const code = await page
      .locator(`#${id}`)
      .getByLabel(/in TypeScript$/)
      .textContent();
    const file = join(folder, `${id}.ts`);
    writeFileSync(file, code ?? '');
    const said = execFileSync(process.execPath, [file], {
      env: { ...process.env, PRIVATE_KEY: visitorKey() },
      encoding: 'utf8',
    });
    expect(JSON.parse(said)).toMatchObject(expected);
  });

  test(`the curl example of ${id} shows what it costs`, async ({ page }) => {
    await page.goto('/docs');
    const code = await page
      .locator(`#${id}`)
      .getByLabel(/in curl$/)
      .textContent();
    const said = execFileSync('sh', ['-c', (code ?? '').replace('curl ', 'curl -sS ')], { encoding: 'utf8' });
    expect(said).toMatch(/^HTTP\/1\.1 402 /);
    expect(said.toLowerCase()).toContain('payment-required: ');
  });
}
