import { useEffect, useMemo } from "react";
import { RouterProvider } from "react-router";
import type { Config } from "../../../web/config.ts";
import { connectStore } from "../../../web/connect_store.ts";
import { createQueries } from "../../../web/queries.ts";
import { Notices } from "../components/notices.tsx";
import { Session } from "../session/session.ts";
import { SessionContext } from "../session/session_context.ts";
import { emptyCart } from "../store/cart.ts";
import { StoreContext } from "../store/store.ts";
import { KeptData, keptFor } from "./kept_data.tsx";
import { router } from "./router.tsx";

export function App({ config }: { config: Config }) {
  const { session, access, queries } = useMemo(() => {
    const session = new Session(config);
    const { api, uploadPicture } = connectStore(config, session.accessToken, session.reject);
    return { session, access: { ...config, api, uploadPicture }, queries: createQueries({ gcTime: keptFor }) };
  }, [config]);

  // What another account has read or collected.
  useEffect(
    () =>
      session.subscribe(() => {
        if (session.state.kind === "signed_out") {
          queries.clear();
          emptyCart();
        }
        if (session.state.kind === "signed_in") void queries.invalidateQueries();
      }),
    [session, queries],
  );

  return (
    <SessionContext value={session}>
      <StoreContext value={access}>
        <KeptData queries={queries}>
          <RouterProvider router={router} />
          <Notices />
        </KeptData>
      </StoreContext>
    </SessionContext>
  );
}
