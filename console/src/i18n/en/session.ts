/** Signing in and out. */
export const session = {
  title: "Store console",
  forWhom: "For administrators of the store.",
  email: "Email",
  password: "Password",
  showPassword: "Show or hide the password",
  signIn: "Sign in",
  forgot: {
    link: "Forgot your password?",
    title: "Forgot password",
    advice: "We send a link to your email address. With it, you set a new password.",
    send: "Send the link",
    sent: "If {{email}} has an account, we have sent a link to it. It works once, for an hour. If no email arrives, look into the junk mail, and ask again in a few minutes.",
    back: "Back to the sign-in",
  },
  newPassword: {
    title: "Set a new password",
    change: "Change password",
    label: "New password",
    hint: "At least {{count}} characters.",
    current: "Current password",
    save: "Save the password",
    saved: "Your password was changed.",
  },
  otherAccount: "Use another account",
  expired: { title: "Your session has ended", advice: "Sign in again to continue. The page and your input are kept." },
  failed: {
    wrong_password: { title: "Email or password is wrong", advice: "Check both and try again." },
    wrong_current: {
      title: "The current password is wrong",
      advice: 'Check it. If you do not know it, sign out and choose "Forgot your password?".',
    },
    not_confirmed: { title: "Your email address is not confirmed", advice: "Open the link in the email that you received." },
    weak_password: { title: "The password is too weak", advice: "Choose a longer one that is hard to guess." },
    same_password: { title: "This is your current password", advice: "Choose another one." },
    invalid_email: { title: "This email address cannot be used", advice: "Check it." },
    link_used: {
      title: "This link no longer works",
      advice: 'It was already used, or it has expired. Go back and choose "Forgot your password?" for a new one.',
    },
    too_often: { title: "Too many attempts", advice: "Wait a few minutes, then try again." },
    no_administrator: {
      title: "This account is not an administrator",
      advice: "You have been signed out. Ask the person who runs the store to make this account an administrator.",
    },
    not_reachable: { title: "The sign-in server is not responding", advice: "Check your connection and try again." },
  },
};
