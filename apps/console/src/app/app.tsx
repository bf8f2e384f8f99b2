import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { useMemo } from "react";
import { RouterProvider } from "react-router";
import { Session } from "../session/auth.ts";
import { SessionContext } from "../session/session_context.ts";
import { useMessages } from "../components/notify.ts";
import { isStepUpReason } from "../session/step_up.ts";
import { StoreContext } from "../store/store.ts";
import type { AuthLink } from "../../../shared/auth_link.ts";
import type { Config } from "../../../shared/config.ts";
import { connectStore } from "../../../shared/connect_store.ts";
import { createQueries } from "../../../shared/queries.ts";
import { router } from "./router.tsx";
import { SignedInOnly } from "./signed_in_only.tsx";
import { legibleColors, theme } from "./theme.ts";

export function App({ config, opened }: { config: Config; opened: AuthLink | undefined }) {
  const { session, store, queries } = useMemo(() => {
    const session = new Session(config);
    const store = connectStore(config, session.accessToken, session.reject, (code, isRead) =>
      isStepUpReason(code) ? session.stepUp.ask(code, { isRead }) : Promise.resolve(false),
    );
    return { session, store: { ...store, icpNumber: config.icpNumber }, queries: createQueries() };
  }, [config]);

  const messages = useMessages();
  return (
    <MantineProvider theme={theme} cssVariablesResolver={legibleColors} defaultColorScheme="auto">
      <SessionContext value={session}>
        <StoreContext value={store}>
          <QueryClientProvider client={queries}>
            {messages && <messages.Notifications position="bottom-right" />}
            <SignedInOnly opened={opened}>
              <RouterProvider router={router} />
            </SignedInOnly>
          </QueryClientProvider>
        </StoreContext>
      </SessionContext>
    </MantineProvider>
  );
}
