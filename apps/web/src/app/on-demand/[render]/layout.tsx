import type { ReactNode } from 'react';

/** No page here is rendered by the build; each is at its first request, and then kept until its data changes. */
export function generateStaticParams(): { render: string }[] {
  return [];
}

export default function OnDemandLayout({ children }: { readonly children: ReactNode }) {
  return children;
}
