import { type ComponentType, lazy } from "react";
import { loadWithTexts } from "../i18n/index.ts";
import { PageNotLoadedPage } from "../app/page_not_loaded.tsx";

/**
 * A part of the session that the first page of somebody who is signed in does not need. If it does not arrive, it says
 * so.
 */
function later<Props>(part: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(async () => ({
    default: await part().catch((): ComponentType<Props> => PageNotLoadedPage),
  }));
}

/** A part of the frame. Its texts are those of the lists, which the first page does not need either. */
export const ShortcutsDialog = later(
  loadWithTexts(async () => (await import("../app/shortcuts_dialog.tsx")).ShortcutsDialog),
);
export const SignInPage = later(async () => (await import("./sign_in_page.tsx")).SignInPage);
export const NewPasswordPage = later(async () => (await import("./new_password_page.tsx")).NewPasswordPage);
export const ExpiredDialog = later(async () => (await import("./expired_dialog.tsx")).ExpiredDialog);
export const OwnNameDialog = later(async () => (await import("./own_name_dialog.tsx")).OwnNameDialog);
export const ChangePasswordDialog = later(
  async () => (await import("./change_password_dialog.tsx")).ChangePasswordDialog,
);
export const SecondFactorDialog = later(async () => (await import("./second_factor_dialog.tsx")).SecondFactorDialog);
export const StepUpDialog = later(async () => (await import("./step_up_dialog.tsx")).StepUpDialog);
