import { useQueryClient } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import type { AuthLink } from "../../../web/auth_link.ts";
import { Loading } from "../components/loading.tsx";
import { ExpiredDialog } from "../session/expired_dialog.tsx";
import { NewPasswordPage } from "../session/new_password_page.tsx";
import { useSessionState } from "../session/session_context.ts";
import { SignInPage } from "../session/sign_in_page.tsx";

/**
 * Shows its children to an administrator, otherwise the sign-in page. An expired session is renewed in a dialog above the open page.
 * @param opened the link of a mail with which the console was opened. It sets a password first
 */
export function SignedInOnly({ opened, children }: { opened: AuthLink | undefined; children: ReactNode }) {
  const [link, setLink] = useState(opened);
  const state = useSessionState();
  const queries = useQueryClient();

  useEffect(() => {
    if (state.kind === "signed_out") queries.clear();
    // Repeats the requests that failed while nobody was signed in.
    if (state.kind === "signed_in") void queries.invalidateQueries();
  }, [state, queries]);

  if (state.kind === "starting") return <Loading height="100vh" />;
  if (link) return <NewPasswordPage link={link} onLeave={() => setLink(undefined)} />;
  if (state.kind === "signed_out") return <SignInPage />;
  return (
    <>
      <Fragment key={state.account.id}>{children}</Fragment>
      {state.kind === "expired" && <ExpiredDialog account={state.account} />}
    </>
  );
}
