import { readMember } from '../json/read-member.ts';

/** The discovery extension of a challenge, its members still to be judged. */
export interface Bazaar {
  readonly extension: unknown;
  readonly info: unknown;
  readonly schema: unknown;
  readonly input: unknown;
  readonly output: unknown;
  readonly routeTemplate: unknown;
}

/**
 * The discovery extension, opened but not yet judged. Source: x402 discovery extension.
 *
 * @param extensions the `extensions` of an envelope or a listing, whatever it is
 * @returns null when there is none
 */
export function readBazaar(extensions: unknown): Bazaar | null {
  const extension = readMember(extensions, 'bazaar') ?? null;
  if (extension === null) return null;
  const info = readMember(extension, 'info');
  return {
    extension,
    info,
    schema: readMember(extension, 'schema'),
    input: readMember(info, 'input'),
    output: readMember(info, 'output'),
    routeTemplate: readMember(extension, 'routeTemplate'),
  };
}

/** The route template directories would catalogue by; null when there is none they accept. */
export function readRouteTemplate(bazaar: Bazaar | null): string | null {
  const template = bazaar?.routeTemplate;
  return isRouteTemplate(template) ? template : null;
}

/**
 * True for a path with parameters, as in `/users/:id`, that leads nowhere else however it is decoded.
 * Source: x402 discovery extension, "`routeTemplate` Validation Rules"; @x402/extensions, `isValidRouteTemplate`.
 */
export function isRouteTemplate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\/[a-zA-Z0-9_/:.\-~%]+$/.test(value)) return false;
  try {
    const decoded = decodeURIComponent(value);
    return !decoded.includes('..') && !decoded.includes('://');
  } catch {
    // A percent sign that encodes nothing.
    return false;
  }
}
