import { type RefObject, useEffect } from "react";

/** Calls `onNear` when an element is at most `margin` pixels away from the window. It waits while `waits` is true. */
export function useNear(element: RefObject<Element | null>, margin: number, waits: boolean, onNear: () => void): void {
  useEffect(() => {
    if (!waits || !element.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onNear();
      },
      { rootMargin: `${margin}px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-deps -- a new function is no reason to look again
  }, [element, margin, waits]);
}
