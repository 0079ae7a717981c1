import { SiteNotice, SkipLink } from '@touchstone/ui';
import type { Metadata } from 'next';
import { Suspense, type ReactNode } from 'react';
import { readSiteNotice, getSiteOrigin } from '../platform/config/config.ts';
import { Unavailable } from '../views/errors/error-page.tsx';
import './globals.css';
import localFont from 'next/font/local';

export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(getSiteOrigin(process.env)),
    title: { default: 'Touchstone: trust scores for x402 endpoints', template: '%s · Touchstone' },
    description:
      'Touchstone probes x402 endpoints about every 30 minutes and shows uptime, latency, price and a trust score before you pay.',
  };
}

/**
 * Root layout. If rendering fails, React renders the fallback of the `Suspense` boundary, and Next responds with status
 * 500 and caches nothing. The boundary is around the whole document, because React may stream the content of a smaller
 * boundary later and insert the content with an inline script. Our pages forbid inline scripts.
 */
export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense
      fallback={
        <Document>
          <Unavailable />
        </Document>
      }
    >
      <Document>{children}</Document>
    </Suspense>
  );
}

function Document({ children }: { readonly children: ReactNode }) {
  const notice = readSiteNotice(process.env);
  return (
    <html lang="en" className={FONT_CLASSES}>
      <body>
        <SkipLink />
        {notice === null ? null : <SiteNotice>{notice}</SiteNotice>}
        {children}
        <script type="module" src="/site.js" />
      </body>
    </html>
  );
}

/**
 * Font of the site for Latin letters. It is preloaded, and its fallback has the same width where the system has Times New
 * Roman. A font that arrives later than 100 ms is used on the next page only, so that a late font does not shift the
 * layout.
 */
const besley = localFont({
  src: '../../../../node_modules/@fontsource-variable/besley/files/besley-latin-wght-normal.woff2',
  weight: '400 900',
  variable: '--font-besley',
  display: 'optional',
  adjustFontFallback: 'Times New Roman',
});

/** Font for further Latin letters. It is loaded only for a page that contains such a letter. */
const besleyExtended = localFont({
  src: '../../../../node_modules/@fontsource-variable/besley/files/besley-latin-ext-wght-normal.woff2',
  weight: '400 900',
  variable: '--font-besley-extended',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+0304, U+0308, U+0329, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF',
    },
  ],
});

/** Class names that define the CSS variables of the fonts (see theme.css). */
const FONT_CLASSES = `${besley.variable} ${besleyExtended.variable}`;
