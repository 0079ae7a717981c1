import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

const inDevelopment = process.env.NODE_ENV === 'development';

/**
 * Pages are documents: the stored ones carry no inline script (see src/page-cache/page-cache.ts), so none is allowed. The
 * development server needs inline scripts, eval and a web socket for its own tools.
 */
const contentSecurityPolicy = policyOf({ inlineStyles: inDevelopment, dataImages: false });

/** The explorer of the API writes style attributes and draws arrows from data, which is allowed on its page alone. */
const explorerSecurityPolicy = policyOf({ inlineStyles: true, dataImages: true });

interface Allowed {
  readonly inlineStyles: boolean;
  readonly dataImages: boolean;
}

function policyOf({ inlineStyles, dataImages }: Allowed): string {
  return [
    "default-src 'none'",
    inDevelopment ? "script-src 'self' 'unsafe-inline' 'unsafe-eval'" : "script-src 'self'",
    inlineStyles ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    inDevelopment ? "connect-src 'self' ws:" : "connect-src 'self'",
    dataImages ? "img-src 'self' data:" : "img-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export default {
  poweredByHeader: false,
  transpilePackages: ['@touchstone/store', '@touchstone/trust', '@touchstone/ui'],
  cacheHandler: fileURLToPath(new URL('src/page-cache/page-cache.ts', import.meta.url)),
  cacheMaxMemorySize: 128 * 1024 * 1024,
  // As long as a page is fresh (see src/page-cache/page-lifetime.ts) and no longer: the difference would become
  // `stale-while-revalidate`, by which a shared cache may show a verdict that no longer holds.
  expireTime: 60 * 60,
  experimental: {
    isrFlushToDisk: false,
    // More than the 64 KiB that are read of any body, so that what is longer still is seen to be.
    proxyClientMaxBodySize: 128 * 1024,
  },
  rewrites: () =>
    Promise.resolve({
      // A page without a parameter would be rendered by the build, which has no database. See docs/decisions/0003.
      beforeFiles: [
        { source: '/', destination: '/on-demand/page/home' },
        { source: '/docs', destination: '/on-demand/page/docs' },
        { source: '/docs/explorer', destination: '/on-demand/page/explorer' },
        { source: '/methodology', destination: '/on-demand/page/methodology' },
      ],
    }),
  headers: () =>
    Promise.resolve([
      {
        source: '/:path*',
        headers: [
          { key: 'Content-Security-Policy', value: contentSecurityPolicy },
          { key: 'X-Content-Type-Options', value: 'nosniff' },
          { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
          { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
          {
            key: 'Permissions-Policy',
            value: 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
          },
        ],
      },
      {
        source: '/docs/explorer',
        headers: [{ key: 'Content-Security-Policy', value: explorerSecurityPolicy }],
      },
      {
        // Its version is in its name (see src/docs/explorer-script.ts, which a configuration of Next cannot import).
        source: '/openapi-explorer-:version([0-9.]+).js',
        headers: [{ key: 'Cache-Control', value: 'public, max-age=31536000, immutable' }],
      },
      {
        source: '/:path*',
        has: [{ type: 'header', key: 'x-forwarded-proto', value: 'https' }],
        headers: [{ key: 'Strict-Transport-Security', value: 'max-age=63072000; includeSubDomains' }],
      },
    ]),
} satisfies NextConfig;
