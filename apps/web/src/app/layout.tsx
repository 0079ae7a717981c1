import { SiteNotice } from '@touchstone/ui';
import type { Metadata } from 'next';
import { Suspense, type ReactNode } from 'react';
import { readSiteNotice, getSiteOrigin } from '../platform/config/config.ts';
import { Unavailable } from '../views/errors/error-page.tsx';
import { FONT_CLASSES } from './fonts.ts';
import './globals.css';

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
 * boundary later and insert it with an inline script, which our pages forbid.
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
        {notice === null ? null : <SiteNotice>{notice}</SiteNotice>}
        {children}
        <script src="/age.js" defer />
      </body>
    </html>
  );
}
