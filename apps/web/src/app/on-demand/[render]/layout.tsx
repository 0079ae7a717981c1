import type { ReactNode } from 'react';

/**
 * Returns no parameters, so the build renders no page of this folder. Each page is rendered at its first request and
 * then cached.
 */
export function generateStaticParams(): { render: string }[] {
  return [];
}

export default function OnDemandLayout({ children }: { readonly children: ReactNode }) {
  return children;
}
