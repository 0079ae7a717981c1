import { expect, test } from 'vitest';
import { deriveTokenAccount } from './token-account.ts';

test('derives the same account as the official client spl-token', async () => {
  // The expected address is from the tests of spl-token, the program's official client.
  const account = await deriveTokenAccount(
    'B8UwBUUnKwCyKuGMbFKWaG7exYdDk2ozZrPg72NyVbfj',
    '7o36UsWR1JQLpZ9PE2gn9L4SQ69CNNiWAXd4Jt7rqz9Z',
  );
  expect(account).toBe('DShWnroshVbeUp28oopA3Pu7oFPDBtC1DBmPECXXAQ9n');
});

test('returns null for text that is not a Solana address', async () => {
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  expect(await deriveTokenAccount('merchant', mint)).toBeNull();
  expect(await deriveTokenAccount('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', mint)).toBeNull();
});
