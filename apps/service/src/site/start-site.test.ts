import { expect, it } from 'vitest';
import { getInternalUrl, getLocalUrl } from './start-site.ts';

it.each([
  [null, 'http://localhost:3000', 'http://127.0.0.1:3000'],
  ['127.0.0.1', 'http://localhost:3000', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://localhost:3000', 'http://127.0.0.1:3000'],
  ['::1', 'http://localhost:3000', 'http://[::1]:3000'],
  ['192.0.2.7', 'http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
  ['2001:db8::7', 'http://[2001:db8::7]:3000', 'http://[2001:db8::7]:3000'],
])(
  'a site that listens on %s has the URL %s for people and %s for the service',
  (listenAddress, local, internal) => {
    expect(getLocalUrl({ port: 3000, listenAddress })).toBe(local);
    expect(getInternalUrl({ port: 3000, listenAddress })).toBe(internal);
  },
);
