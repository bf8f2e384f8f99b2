import { useEffect, useMemo } from "react";
import { RouterProvider } from "react-router";
import type { Config } from "../../../shared/config.ts";
import { connectStore } from "../../../shared/connect_store.ts";
import { createQueries } from "../../../shared/queries.ts";
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
  useEffect(() => {
    const accountNow = () => (session.state.kind === "signed_out" ? undefined : session.state.account.id);
    let account = accountNow();
    return session.subscribe(() => {
      const former = account;
      account = accountNow();
      if (account === undefined) {
        queries.clear();
        emptyCart();
      } else if (former !== undefined && former !== account) {
        // Another window has signed in with it.
        void queries.resetQueries();
      } else if (session.state.kind === "signed_in") void queries.invalidateQueries();
    });
  }, [session, queries]);

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
