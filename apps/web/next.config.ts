import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

const inDevelopment = process.env.NODE_ENV === 'development';

/**
 * Content security policy of all pages. The policy forbids inline scripts, because cached pages
 * contain no inline scripts (see src/serving/page-cache/page-cache.ts). The tools of the development server need inline
 * scripts, eval and a web socket, so the policy allows them in development.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  inDevelopment ? "script-src 'self' 'unsafe-inline' 'unsafe-eval'" : "script-src 'self'",
  inDevelopment ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
  inDevelopment ? "connect-src 'self' ws:" : "connect-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export default {
  poweredByHeader: false,
  // Time of the latest change of the pages whose texts change with a release (see src/views/sitemap).
  env: { BUILT_AT: new Date().toISOString() },
  // `npm run typecheck` checks the types of the whole workspace, so the build does not check them again.
  typescript: { ignoreBuildErrors: true },
  // No page uses the image optimizer, which would fetch and resize images for every client.
  images: { unoptimized: true },
  transpilePackages: ['@touchstone/store', '@touchstone/trust', '@touchstone/ui'],
  // tiny-secp256k1 is not bundled, because it reads its WebAssembly file from its own folder. The other packages are
  // large, and the build would minify one copy per route.
  serverExternalPackages: [
    'tiny-secp256k1',
    '@modelcontextprotocol/server',
    '@supabase/supabase-js',
    '@x402/core',
    '@x402/evm',
    '@x402/extensions',
    'inngest',
    'viem',
    'zod',
  ],
  cacheHandler: fileURLToPath(new URL('src/serving/page-cache/page-cache.ts', import.meta.url)),
  // The page cache has its own limit. With a memory for `use cache`, which no page uses, Next would also keep every
  // expired tag without a limit.
  cacheMaxMemorySize: 0,
  // Equal to PAGE_LIFETIME_S (src/serving/page-cache/page-lifetime.ts). For a longer time, Next would add
  // `stale-while-revalidate` to `Cache-Control`, and a shared cache could then show an outdated verdict.
  expireTime: 60 * 60,
  experimental: {
    // No process reads the server source maps (190 MB). The build cache of Next is off, because Nx caches the whole
    // build.
    turbopackSourceMaps: false,
    turbopackFileSystemCacheForBuild: false,
    isrFlushToDisk: false,
    // Size at which the proxy truncates a request body. The size exceeds the API limit of 64 KiB, so that a truncated
    // body is still too long for the API and is refused.
    proxyClientMaxBodySize: 128 * 1024,
  },
  rewrites: () =>
    Promise.resolve({
      // During the build, Next renders every page whose route has no parameter, but the build has no database. These
      // pages are therefore rewritten to a route with a parameter. See docs/decisions/0003.
      beforeFiles: [
        { source: '/', destination: '/on-demand/page/home' },
        { source: '/docs', destination: '/on-demand/page/docs' },
        { source: '/methodology', destination: '/on-demand/page/methodology' },
        { source: '/claim', destination: '/on-demand/page/claim' },
        { source: '/watch', destination: '/on-demand/page/watch' },
        { source: '/about', destination: '/on-demand/page/about' },
        { source: '/corrections', destination: '/on-demand/page/corrections' },
        { source: '/delivery', destination: '/on-demand/page/delivery' },
        { source: '/status', destination: '/on-demand/page/status' },
      ],
    }),
  redirects: () =>
    Promise.resolve([
      // For a page path that ends with `.rsc`, Next sends data for its own scripts. No page contains these scripts. The
      // proxy does not see the suffix, so Next would render a page for each unknown slug with the suffix.
      { source: '/.rsc', destination: '/', permanent: true },
      { source: '/:path(.+)\\.rsc', destination: '/:path', permanent: true },
    ]),
  headers: () =>
    Promise.resolve([
      {
        // API responses have few headers, because the header with a payment challenge is long, and nginx accepts at
        // most 4 KiB of response headers by default.
        source: '/v1/:path*',
        headers: [
          { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
          { key: 'X-Content-Type-Options', value: 'nosniff' },
        ],
      },
      {
        source: '/:path((?!v1/).*)',
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
        // The file name contains a hash of the content (see src/scripts/bundle-script.ts).
        source: '/shared-:hash([\\w-]+).js',
        headers: [{ key: 'Cache-Control', value: 'public, max-age=31536000, immutable' }],
      },
      {
        source: '/:path*',
        has: [{ type: 'header', key: 'x-forwarded-proto', value: 'https' }],
        headers: [{ key: 'Strict-Transport-Security', value: 'max-age=63072000; includeSubDomains' }],
      },
    ]),
} satisfies NextConfig;
