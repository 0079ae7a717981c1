import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem';
import { z } from 'zod';
import { CliError } from '../../cli-error.ts';

/** Environment variable with the private key of the wallet. */
export const KEY_VARIABLE = 'TOUCHSTONE_KEY';

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)]);

/**
 * Creates the wallet account of a private key. The account signs with the key, but has no member that returns the key.
 *
 * @param source name of the variable or file that contains the key, for error messages
 * @throws CliError for an invalid key; the message never contains the key
 */
export function openWallet(text: string | undefined, source: string): PrivateKeyAccount {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') {
    throw new CliError(
      `No wallet is configured. Write its private key to ${source}. ` +
        'Use a separate wallet that holds no more than you want to spend.',
      { code: 'no-wallet', notCharged: true },
    );
  }
  const parsed = keySchema.safeParse(trimmed.startsWith('0x') ? trimmed : `0x${trimmed}`);
  if (!parsed.success) throw createInvalidKeyError(source, /^\$\{.*\}$/.test(trimmed));
  try {
    return privateKeyToAccount(parsed.data);
  } catch {
    // The key is zero or above the order of the curve. The original error is dropped, because it may contain the key.
    throw createInvalidKeyError(source, false);
  }
}

function createInvalidKeyError(source: string, isPlaceholder: boolean): CliError {
  const cause = isPlaceholder
    ? ' Its value is a placeholder, which the program that started touchstone did not replace.'
    : '';
  return new CliError(
    `${source} contains no valid private key.${cause} A key has 64 hexadecimal digits, with or without 0x.`,
    { code: 'no-wallet', notCharged: true },
  );
}
