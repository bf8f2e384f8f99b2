import { useSearchParams } from "react-router";

/** Where signing in leads: the page that asked for it, or else the shop. Only addresses within this app. */
export function useTarget(): { target: string; search: string } {
  const [parameters] = useSearchParams();
  const to = parameters.get("to") ?? "/";
  const target = to.startsWith("/") && !to.startsWith("//") ? to : "/";
  return { target, search: target === "/" ? "" : `?to=${encodeURIComponent(target)}` };
}
