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
    expect(manifest.endpoints.map(({ url }) => url)).toEqual(
      paid.map(({ path }) => `https://touchstone.example${path}`),
    );
  });

  it('states the price of each operation in US dollars and in atomic units', () => {
    expect(
      manifest.endpoints.map(({ method, url, price, accepts }) => ({ method, url, price, accepts })),
    ).toEqual([
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/x402-trust',
        price: { amount: '0.005000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '5000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/x402-history',
        price: { amount: '0.020000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '20000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/semantic-search',
        price: { amount: '0.001000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '1000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/similar',
        price: { amount: '0.005000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '5000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/x402-trust-bulk-10',
        price: { amount: '0.045000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '45000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/x402-trust-bulk-50',
        price: { amount: '0.200000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '200000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/x402-trust-bulk-100',
        price: { amount: '0.325000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '325000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/x402-trust-bulk-200',
        price: { amount: '0.400000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '400000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/x402-trust-bulk-500',
        price: { amount: '0.500000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '500000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/watch-endpoint-30d',
        price: { amount: '0.200000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '200000' }],
      },
      {
        method: 'POST',
        url: 'https://touchstone.example/v1/watch/{id}/renew',
        price: { amount: '0.200000', currency: 'USD' },
        accepts: [{ scheme: 'exact', ...terms, amount: '200000' }],
      },
    ]);
  });

  it('describes the parameters like the OpenAPI document', () => {
    expect(manifest.endpoints.map(({ parameters }) => parameters)).toMatchObject([
      [{ name: 'detail', in: 'query', required: false, schema: { const: 'full' }, example: 'full' }],
      [{ name: 'resolution', in: 'query', required: false, schema: { const: 'daily' }, example: 'daily' }],
      ...Array.from({ length: 5 }, () => []),
      [],
      [],
      [],
      [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    ]);
  });

  it('links to the documentation', () => {
    expect([manifest.openapi, manifest.documentation, manifest.llms]).toEqual([
      'https://touchstone.example/openapi.json',
      'https://touchstone.example/docs',
      'https://touchstone.example/llms.txt',
    ]);
  });
});
