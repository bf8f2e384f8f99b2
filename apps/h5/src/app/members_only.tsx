import { Navigate, Outlet, useLocation } from "react-router";
import { useIsMember } from "../session/session_context.ts";

/** Pages for members. A visitor signs in first and then returns to the page. */
export function MembersOnly() {
  const isMember = useIsMember();
  const { pathname, search } = useLocation();
  return isMember ? <Outlet /> : <Navigate to={`/sign-in?to=${encodeURIComponent(pathname + search)}`} replace />;
}
