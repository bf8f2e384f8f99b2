import { Navigate } from "react-router";
import { Loading } from "../components/loading.tsx";
import { useAdmin } from "../store/store.ts";
import { useMenu } from "./navigation.ts";

/** Leads to the first page that the signed-in administrator may read. */
export function HomePage() {
  const { isPending } = useAdmin("/adminapi/me");
  const home = useMenu()[0]!.pages[0]!.route;
  return isPending ? <Loading height={200} /> : <Navigate to={`/${home}`} replace />;
}
