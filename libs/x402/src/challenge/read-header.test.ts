import { x402Client, x402HTTPClient } from '@x402/core/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encode, v2Envelope } from '../testing/fixtures.ts';
import { MAX_BODY_LENGTH, MAX_HEADER_LENGTH, readBody, readHeader } from './read-header.ts';

/** Returns the result of `readHeader` as text: `absent`, the fault, or `read` with the protocol version. */
function readOutcome(...values: string[]): string {
  const reading = readHeader(values);
  if (reading.state === 'read') return `read ${String(reading.envelope.version)}`;
  return reading.state === 'absent' ? 'absent' : reading.fault;
}

describe('readHeader', () => {
  test('reads standard base64 of UTF-8 JSON, with or without padding', () => {
    const value = encode(v2Envelope({ error: 'Zahlung nötig — ₮' }));
    expect(readOutcome(value)).toBe('read 2');
    expect(readOutcome(` ${value} `)).toBe('read 2');
    expect(readOutcome(value.replace(/=+$/, ''))).toBe('read 2');
  });

  test('treats an empty field as absent', () => {
    expect(readOutcome()).toBe('absent');
    expect(readOutcome('')).toBe('absent');
  });

  test('keeps the decoded text, and reports bytes that are not UTF-8', () => {
    const json = JSON.stringify(v2Envelope());
    expect(readHeader([encode(v2Envelope())])).toMatchObject({ text: json, isUtf8: true, fields: 1 });
    expect(readHeader([btoa(json.replace('Skies', 'Sk\u00ffes'))])).toMatchObject({
      state: 'read',
      isUtf8: false,
    });
    expect(readHeader([btoa('pay me')])).toMatchObject({ fault: 'not-json', text: 'pay me' });
    expect(readHeader(['pay me', ''])).toMatchObject({ fault: 'not-base64', text: null, fields: 2 });
  });

  test('reads a byte order mark, and rejects white space that HTTP does not allow around a value', () => {
    const json = JSON.stringify(v2Envelope());
    expect(readOutcome(btoa(`\u00EF\u00BB\u00BF${json}`))).toBe('read 2');
    expect(readOutcome(`\u00A0${encode(v2Envelope())}`)).toBe('not-base64');
    expect(readOutcome(`\t ${encode(v2Envelope())}\r\n`)).toBe('read 2');
    expect(readOutcome(' \t')).toBe('absent');
  });

  test('does not decode more than 64 KiB', () => {
    const padded = (length: number): string => encode(v2Envelope({ pad: 'x'.repeat(length) }));
    expect(readOutcome(padded(48_000))).toBe('read 2');
    expect(padded(50_000).length).toBeGreaterThan(MAX_HEADER_LENGTH);
    expect(readOutcome(padded(50_000))).toBe('too-long');
  });

  test('reads exactly the values that the reference client reads as an object', () => {
    const client = new x402HTTPClient(new x402Client());
    const clientReads = (value: string): unknown => {
      try {
        return client.getPaymentRequiredResponse(() => value);
      } catch {
        return null;
      }
    };
    const values = fc.oneof(
      fc.jsonValue().map(encode),
      fc.jsonValue().map((json) => encode(json).replace(/=+$/, '')),
      fc.string(),
      fc.base64String(),
      fc.string().map((text) => btoa(encodeURI(text.toWellFormed()))),
    );
    fc.assert(
      fc.property(values, (value) => {
        // Skips values with white space at the ends, because HTTP removes such white space before the client receives
        // the value.
        fc.pre(!/^[ \t\r\n]|[ \t\r\n]$/.test(value) && value !== '');
        const json = clientReads(value);
        const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
        expect(readHeader([value]).state).toBe(isObject ? 'read' : 'unreadable');
      }),
      { numRuns: 500 },
    );
  });
});

describe('readBody', () => {
  test('reads JSON objects, and reports anything else as unreadable', () => {
    expect(readBody('{"x402Version":1}').state).toBe('read');
    expect(readBody(null).state).toBe('absent');
    expect(readBody(' \n').state).toBe('absent');
    for (const text of ['<html></html>', '[]', 'null', '"x402Version"', '{', '{"a":}']) {
      expect(readBody(text).state).toBe('unreadable');
    }
  });

  test('does not read bodies over 256 KiB', () => {
    const body = (length: number): string => `{"x402Version":1,"pad":"${'x'.repeat(length)}"}`;
    expect(readBody(body(MAX_BODY_LENGTH - 100)).state).toBe('read');
    expect(readBody(body(MAX_BODY_LENGTH)).state).toBe('unreadable');
  });
});
