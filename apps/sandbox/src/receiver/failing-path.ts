/** Failure that a path of the receiver selects. */
export interface PathFailure {
  /**
   * Status of the failing responses. With `removed`, it is the status with which the imitated service reports that the
   * hook was removed. With `rate-limited`, one message is accepted per interval.
   */
  readonly kind: number | 'removed' | 'rate-limited';
  /** True when the first message is accepted, for example a connection test. */
  readonly acceptsFirst: boolean;
}

const STATUS = /^[345]\d\d$/;

/**
 * Returns the failure that a path selects, or null for a path that accepts every message:
 * `/fail/<status>` (300 to 599), `/gone`, `/rate-limited`, and each of them after `/accept-one`. Further segments have no
 * effect, so that several destinations can have different URLs.
 */
export function parseFailingPath(path: string): PathFailure | null {
  const segments = path.split('/').slice(1);
  const acceptsFirst = segments[0] === 'accept-one';
  const [name, status = ''] = acceptsFirst ? segments.slice(1) : segments;
  if (name === 'gone') return { kind: 'removed', acceptsFirst };
  if (name === 'rate-limited') return { kind: 'rate-limited', acceptsFirst };
  return name === 'fail' && STATUS.test(status) ? { kind: Number(status), acceptsFirst } : null;
}
