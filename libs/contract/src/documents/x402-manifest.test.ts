import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../operations/operations.ts';
import { createX402Manifest } from './x402-manifest.ts';

const terms = {
  network: 'eip155:84532',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};
const manifest = createX402Manifest('https://touchstone.example/anything?else', terms);
const paid = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null);

describe('the discovery manifest', () => {
  it('lists paid operations without path parameters as absolute URLs for crawlers', () => {
    expect(manifest).toMatchObject({ version: 1, x402Version: 2, interfaceVersion: '2.0.0' });
    const fixed = paid.filter(({ path }) => !path.includes('{'));
    expect(manifest.resources).toEqual(fixed.map(({ path }) => `https://touchstone.example${path}`));
  });

  it('states the version of x402 and the price of each operation, in US dollars and in atomic units', () => {
    expect(manifest.endpoints).toMatchObject(
      paid.map(({ method, path, priceUsd, parameters }) => ({
        type: 'http',
        x402Version: 2,
        method,
        url: `https://touchstone.example${path}`,
        price: { amount: priceUsd, currency: 'USD' },
        accepts: [
          {
            scheme: 'exact',
            ...terms,
            amount: String(Math.round(Number(priceUsd) * 1e6)),
            maxTimeoutSeconds: 300,
          },
        ],
        parameters: parameters.map(({ in: place, name, required, example }) => ({
          ...{ in: place, name, required, example },
          schema: expect.any(Object) as object,
        })),
      })),
    );
  });

  it('links to the documentation', () => {
    expect([manifest.openapi, manifest.documentation, manifest.llms]).toEqual([
      'https://touchstone.example/openapi.json',
      'https://touchstone.example/docs',
      'https://touchstone.example/llms.txt',
    ]);
  });
});
