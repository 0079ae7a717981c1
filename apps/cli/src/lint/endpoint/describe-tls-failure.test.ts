import { describe, expect, it } from 'vitest';
import { describeTlsFailure } from './describe-tls-failure.ts';

describe('describeTlsFailure', () => {
  it.each([
    [
      'write EPROTO 80CB:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:SSL alert number 40\n',
      'ssl/tls alert handshake failure',
    ],
    [
      'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
      'self-signed certificate',
    ],
    [
      "Hostname/IP does not match certificate's altnames: Host: a.example. is not in the cert's altnames: DNS:b.example",
      "Hostname/IP does not match certificate's altnames: Host: a.example is not in the cert's altnames: DNS:b.example",
    ],
    ['certificate has expired', 'certificate has expired'],
  ])('describes %s', (message, description) => {
    expect(describeTlsFailure({ phase: 'tls', code: 'EPROTO', message })).toBe(description);
  });
});
