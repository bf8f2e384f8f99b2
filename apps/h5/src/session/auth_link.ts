import { type AuthLink, takeAuthLink } from "../../../shared/auth_link.ts";

let link: AuthLink | undefined;

/** Takes the link of a mail out of the address. @returns the route of the page that opens it */
export function returnFromMail(): string | undefined {
  link = takeAuthLink();
  return link && (link.setsPassword ? "/new-password" : "/confirm");
}

/** The link with which the app was opened in this visit. */
export const mailLink = (): AuthLink | undefined => link;

/** Called when the link was used. */
export function forgetMailLink(): void {
  link = undefined;
}
