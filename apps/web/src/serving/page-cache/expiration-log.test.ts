import { describe, expect, it } from 'vitest';
import { createExpirationLog } from './expiration-log.ts';

describe('createExpirationLog', () => {
  it('detects a tag that expired during the render, and no earlier one', () => {
    const log = createExpirationLog();
    log.recordExpiration(['a']);
    log.recordMiss('page');
    expect(log.endRender('page', ['a', 'b'])).toBe(false);
    log.recordMiss('page');
    log.recordExpiration(['b']);
    expect(log.endRender('page', ['a', 'b'])).toBe(true);
  });

  it('counts the expiration of all tags', () => {
    const log = createExpirationLog();
    log.recordMiss('page');
    log.recordExpiration(null);
    expect(log.endRender('page', [])).toBe(true);
    log.recordMiss('page');
    expect(log.endRender('page', [])).toBe(false);
  });

  it('keeps the earliest start of concurrent renders', () => {
    const log = createExpirationLog();
    log.recordMiss('page');
    log.recordExpiration(['a']);
    log.recordMiss('page');
    expect(log.endRender('page', ['a'])).toBe(true);
    // The second render may be the older render, so its result is also not used.
    expect(log.endRender('page', ['a'])).toBe(true);
  });

  it('counts a forgotten expiration for every tag', () => {
    const log = createExpirationLog();
    log.recordMiss('old');
    log.recordExpiration(['a']);
    log.recordExpiration(Array.from({ length: 10_000 }, (_, index) => `other-${index}`));
    expect(log.endRender('old', ['a'])).toBe(true);
    log.recordMiss('new');
    expect(log.endRender('new', ['a'])).toBe(false);
  });

  it('keeps at most one megabyte of renders, and treats a forgotten render as expired', () => {
    const log = createExpirationLog();
    log.recordExpiration(['a']);
    log.recordMiss('page');
    for (let index = 0; index < 100; index += 1) log.recordMiss(`${index}${'x'.repeat(20_000)}`);
    expect(log.endRender('page', ['a'])).toBe(true);
    expect(log.endRender(`99${'x'.repeat(20_000)}`, ['a'])).toBe(false);
  });
});
