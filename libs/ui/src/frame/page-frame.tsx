import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import type { NavigationPage } from './navigation-links.ts';

/**
 * Frame of every page: skip link, header, main landmark and footer.
 *
 * @param props.current Navigation page that is currently shown, if any.
 */
export function PageFrame({
  current,
  children,
}: {
  readonly current?: NavigationPage;
  readonly children: ReactNode;
}) {
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:bg-panel focus:px-4 focus:py-2"
      >
        Skip to the content
      </a>
      <Header current={current} />
      <main id="main" className="mx-auto w-full max-w-7xl px-4 py-8 sm:px-6 sm:py-12">
        {children}
      </main>
      <Footer />
    </>
  );
}
