import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliveryBudgetSchema, deliveryKeySchema, toPurchaseSettings } from '@touchstone/pipeline';
import { createCipher, parseWatchKeys } from '@touchstone/watch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { ConfigError } from '../config/config.ts';
import type { LiveConfig } from '../config/live-config.ts';
import { writePrivateFile, type DataFolder } from './data-folder.ts';

type Folder = Pick<DataFolder, 'path'>;

/**
 * Returns the keys that sign reports, as the JSON text of a JWK set. The keys are stored in `signing-keys.json` and
 * created at the first start. The first key of the set signs new reports. To rotate keys, insert a new private key
 * before the first key.
 */
export function openSigningKeys({ path }: Folder): string {
  return readOrCreate(join(path, 'signing-keys.json'), () => {
    const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const key = { kty, crv, x, d, validFrom: new Date().toISOString() };
    return JSON.stringify({ keys: [key] }, null, 2);
  });
}

/**
 * Returns the keys that encrypt the secrets of watches in the database, in the format of `WATCH_ENCRYPTION_KEYS`. The
 * keys are stored in `watch-keys.txt` and created at the first start. The first key encrypts, and all keys decrypt. To
 * rotate keys, insert a new key before the first key.
 *
 * @throws ConfigError when the key file is damaged; the message does not contain a key
 */
export function openWatchKeys({ path }: Folder): string {
  const file = join(path, 'watch-keys.txt');
  const text = readOrCreate(file, () => randomBytes(32).toString('base64url')).trim();
  try {
    createCipher(parseWatchKeys(text));
  } catch {
    throw new ConfigError(
      `${file} is damaged. Restore it: without its keys, no watch can deliver events or be renewed.`,
    );
  }
  return text;
}

const walletKeySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);

/**
 * Opens the wallet that receives payments for the site's paid routes in the sandbox. The private key is created at the
 * first start and stored in `seller.key`. The wallet receives payments without the key; the key only proves who owns
 * the address.
 *
 * @returns the checksummed address
 * @throws ConfigError when the key file is damaged
 */
export function openSellerWallet({ path }: Folder): string {
  const file = join(path, 'seller.key');
  const { data } = walletKeySchema.safeParse(readOrCreate(file, generatePrivateKey).trim());
  if (data === undefined)
    throw new ConfigError(`${file} is damaged. Restore it, or remove it to create a new wallet.`);
  return privateKeyToAccount(data).address;
}

/** Limits of test purchases in the sandbox, where money is made up. */
export const SANDBOX_BUDGET = 'purchase=1 endpoint=10 day=1000 total=1000000';

/**
 * Opens the wallet that pays test purchases in the sandbox, which the sandbox creates and funds.
 *
 * @returns undefined without the wallet: a sandbox without a chain has none
 * @throws ConfigError when the key file is damaged
 */
export function openSandboxPurchases({ path }: Folder): LiveConfig['purchases'] {
  const file = join(path, 'sandbox', 'delivery-wallet.key');
  if (!existsSync(file)) return undefined;
  const key = deliveryKeySchema.safeParse(readFileSync(file, 'utf8'));
  if (!key.success) throw new ConfigError(`${file} is damaged. Remove it to create a new wallet.`);
  return toPurchaseSettings({ account: key.data, budget: deliveryBudgetSchema.parse(SANDBOX_BUDGET) });
}

/** Returns the text of a key file, and creates the file with one line if the file is missing. */
function readOrCreate(file: string, create: () => string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = `${create()}\n`;
  writePrivateFile(file, text);
  return text;
}
