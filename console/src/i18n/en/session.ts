/** Signing in and out. */
export const session = {
  title: "Store console",
  forWhom: "For administrators of the store.",
  email: "Email",
  password: "Password",
  showPassword: "Show or hide the password",
  signIn: "Sign in",
  otherAccount: "Use another account",
  expired: { title: "Your session has ended", advice: "Sign in again to go on. The page stays as it is, with what you have typed." },
  refused: {
    wrong_password: { title: "Email or password is wrong", advice: "Check both and try again." },
    no_administrator: { title: "This account is no administrator", advice: "You have been signed out. Ask whoever runs the store to give the account the administrator role." },
    not_reachable: { title: "The sign-in server does not answer", advice: "Check the connection and try again." },
  },
};
