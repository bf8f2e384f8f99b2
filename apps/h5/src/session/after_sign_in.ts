import { useSearchParams } from "react-router";

/**
 * The address to open after signing in: the page that required it, or else the products. Only addresses within this
 * app.
 */
export function useTarget(): { target: string; search: string } {
  const [parameters] = useSearchParams();
  const to = parameters.get("to") ?? "/";
  const target = to.startsWith("/") && !to.startsWith("//") ? to : "/";
  return { target, search: target === "/" ? "" : `?to=${encodeURIComponent(target)}` };
}
