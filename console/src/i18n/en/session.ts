/** Signing in and out. */
export const session = {
  title: "Store console",
  forWhom: "For administrators of the store.",
  email: "Email",
  password: "Password",
  showPassword: "Show or hide the password",
  signIn: "Sign in",
  otherAccount: "Use another account",
  expired: { title: "Your session has ended", advice: "Sign in again to continue. The page and your input are kept." },
  failed: {
    wrong_password: { title: "Email or password is wrong", advice: "Check both and try again." },
    no_administrator: { title: "This account is not an administrator", advice: "You have been signed out. Ask the person who runs the store to make this account an administrator." },
    not_reachable: { title: "The sign-in server is not responding", advice: "Check your connection and try again." },
  },
};
