import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@touchstone/common';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { openCertificates } from './certificates.ts';

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(() => folder.remove());

function read(name: string) {
  return readFile(join(folder.path, name), 'utf8');
}

test('creates an authority and a wildcard certificate signed by it at the first start, with P-256 keys', async () => {
  const { caFile, wildcard } = await openCertificates(folder.path);
  const authority = new X509Certificate(await readFile(caFile));
  const leaf = new X509Certificate(wildcard.cert);
  expect(authority.ca).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.verify(authority.publicKey)).toBe(true);
  expect(leaf.checkHost('skyfall.sandbox.test')).toBe('*.sandbox.test');
  expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
});

test('makes the private key of the authority readable by the owner only', async () => {
  await openCertificates(folder.path);
  expect((await stat(join(folder.path, 'ca.key'))).mode & 0o777).toBe(0o600);
});

test('keeps the authority, and issues a new wildcard certificate at every start', async () => {
  await openCertificates(folder.path);
  const before = await read('ca.pem');
  const { wildcard } = await openCertificates(folder.path);
  expect(await read('ca.pem')).toBe(before);
  expect(new X509Certificate(wildcard.cert).verify(new X509Certificate(before).publicKey)).toBe(true);
  expect(Date.parse(new X509Certificate(wildcard.cert).validTo)).toBeGreaterThan(Date.now() + 300 * DAY_MS);
});

test.each(['ca.pem', 'ca.key'])(
  'fails with a damaged %s, because clients would not trust a new authority',
  async (name) => {
    await openCertificates(folder.path);
    await writeFile(join(folder.path, name), 'damaged');
    await expect(openCertificates(folder.path)).rejects.toThrow(
      `ca.pem and ca.key in ${folder.path} do not match`,
    );
  },
);
