import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';

/** Names of the variables and files that hold a key, for messages; the key itself is in none of them. */
export const KEY_VARIABLE = 'TOUCHSTONE_KEY';

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)]);

/**
 * The wallet of a private key. The key stays in the account, which signs and never shows it.
 *
 * @param source what holds the key, for the message
 * @throws CliError for what is no key; it never shows what was given
 */
export function openWallet(text: string | undefined, source: string): PrivateKeyAccount {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') {
    throw new CliError(
      `There is no wallet to pay with: put its private key into ${source}. ` +
        'Best take a wallet of its own that holds no more than you mean to spend.',
    );
  }
  const parsed = keySchema.safeParse(trimmed.startsWith('0x') ? trimmed : `0x${trimmed}`);
  if (!parsed.success) throw noKey(source);
  try {
    return privateKeyToAccount(parsed.data);
  } catch {
    // Zero and numbers beyond the order of the curve; the error may repeat them, so it is not passed on.
    throw noKey(source);
  }
}

function noKey(source: string): CliError {
  return new CliError(`${source} holds no private key, which is 64 hexadecimal digits, with or without 0x.`);
}
