import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

/** The width of an element, before it is first painted, and whenever it changes. */
export function useWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => setWidth(element.current?.clientWidth), [element]);
  useEffect(() => {
    const watcher = new ResizeObserver(() => setWidth(element.current?.clientWidth));
    if (element.current) watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [element]);
  return width;
}
