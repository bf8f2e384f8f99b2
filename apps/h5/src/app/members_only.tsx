import { Navigate, Outlet, useLocation } from "react-router";
import { referrer } from "../session/referrer.ts";
import { useIsMember } from "../session/session_context.ts";

/** Pages for members. A visitor signs in first, or signs up after an invitation, and then returns to the page. */
export function MembersOnly() {
  const isMember = useIsMember();
  const { pathname, search } = useLocation();
  const page = referrer() === undefined ? "/sign-in" : "/sign-up";
  return isMember ? <Outlet /> : <Navigate to={`${page}?to=${encodeURIComponent(pathname + search)}`} replace />;
}
