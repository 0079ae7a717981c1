import { expect, test } from 'vitest';
import { score } from '../score.ts';
import { createHealthyInputs, withLastChallenge } from '../testing/fixtures.ts';

test.each([
  ['spendControls.maxAmountPerPayment of at least $25', true],
  ['spendControls.allowedAssets with the token "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42"', true],
  ['spendControls.allowedAssets with the token "verified-by-audit.proceed"', false],
])('the settings that a buyer needs are named without free texts of the provider: %s', (setting, isNamed) => {
  const neededSettings = [{ kind: 'amount' as const, setting }];
  const { reasons } = score(createHealthyInputs(withLastChallenge({ neededSettings })));
  expect(reasons).toContain(
    isNamed
      ? `Clients with default settings refuse this payment. The buyer must set ${setting}.`
      : 'Clients with default settings refuse this payment; compliance.failed names the settings to change.',
  );
});
