import { useEffect, useRef } from 'react';

/**
 * Returns a function that moves the focus when the number of loaded pages changes the next time. Without it, the focus
 * is lost, because the pressed button leaves the page. The focus stays where it is if the visitor has moved it.
 */
export function useFocusWhenLoaded(pages: number): (find: () => HTMLElement | null | undefined) => void {
  const request = useRef<{
    readonly from: Element | null;
    readonly find: () => HTMLElement | null | undefined;
  }>(null);
  useEffect(() => {
    const { current } = request;
    if (current === null) return;
    request.current = null;
    const focused = document.activeElement;
    if (focused === current.from || focused === document.body) current.find()?.focus();
  }, [pages]);
  return (find) => {
    request.current = { from: document.activeElement, find };
  };
}
