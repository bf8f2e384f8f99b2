import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { RouterProvider } from "react-router";
import type { Config } from "../../../web/config.ts";
import { createQueries } from "../../../web/queries.ts";
import { Notices } from "../components/notices.tsx";
import { Session } from "../session/session.ts";
import { SessionProvider } from "../session/session_context.tsx";
import { connectStore, StoreProvider } from "../store/store.tsx";
import { router } from "./router.tsx";

export function App({ config }: { config: Config }) {
  const { session, access, queries } = useMemo(() => {
    const session = new Session(config);
    return { session, access: connectStore(config, session), queries: createQueries() };
  }, [config]);

  // Data that were read for another account.
  useEffect(
    () =>
      session.subscribe(() => {
        if (session.state.kind === "signed_out") queries.clear();
        if (session.state.kind === "signed_in") void queries.invalidateQueries();
      }),
    [session, queries],
  );

  return (
    <SessionProvider session={session}>
      <StoreProvider access={access}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Notices />
        </QueryClientProvider>
      </StoreProvider>
    </SessionProvider>
  );
}
