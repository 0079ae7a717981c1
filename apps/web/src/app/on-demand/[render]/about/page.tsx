import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { getConfig, readSiteNotice } from '../../../../platform/config/config.ts';
import { About } from '../../../../views/about/about.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only at a restart. */
export const revalidate = 3600;

export const metadata = createPageMetadata({
  title: 'About',
  description: 'Who runs Touchstone, how to contact the operator, how to opt out, and what the site stores.',
  path: '/about',
  indexed: true,
});

export default function AboutPage() {
  return <About operator={getConfig()} notice={readSiteNotice(process.env)} />;
}
