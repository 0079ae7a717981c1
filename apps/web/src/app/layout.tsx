import { SiteNotice } from '@touchstone/ui';
import type { Metadata } from 'next';
import { Suspense, type ReactNode } from 'react';
import { readSiteNotice, getSiteOrigin } from '../config/config.ts';
import { Unavailable } from '../views/errors/unavailable.tsx';
import './globals.css';

export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(getSiteOrigin(process.env)),
    title: { default: 'Touchstone: trust scores for x402 endpoints', template: '%s · Touchstone' },
    description:
      'Touchstone watches x402 endpoints around the clock and says, before the money moves, whether they deserve it.',
  };
}

/**
 * The document. When anything in it fails, React answers with the fallback instead, Next with status 500, and nothing
 * is kept: a page that could not be made is never shown as an empty one. The boundary stands around the whole
 * document because React writes out such a boundary in place, however long it is; a smaller one it may move behind a
 * script.
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
    <html lang="en">
      <body>
        {notice === null ? null : <SiteNotice>{notice}</SiteNotice>}
        {children}
        <script src="/age.js" defer />
      </body>
    </html>
  );
}
