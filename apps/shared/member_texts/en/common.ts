/** What is around and within every page. */
export const common = {
  skipToContent: "Skip to main content",
  menu: "Menu",
  tabs: { products: "Products", orders: "Orders", team: "Team", me: "Me" },
  /** After a number, for those who do not see it on the tab. */
  unread: "unread",
  loading: "Loading",
  back: "Back",
  close: "Close",
  cancel: "Cancel",
  tryAgain: "Try again",
  reload: "Reload the page",
  loadMore: "Load more",
  end: "No more entries.",
  fewer: "One less",
  more: "One more",
  copied: "Copied.",
  notCopied: "Your browser does not allow copying. Select the text and copy it.",
  language: "Language",
  requestId: "Request {{id}}",
  offline: "No connection. This page may be out of date.",
  offlineSince: "No connection. You see what was loaded at {{time}}.",
  pull: {
    pulling: "Pull to refresh",
    canRelease: "Release to refresh",
    refreshing: "Refreshing…",
    complete: "Up to date",
  },
  failure: {
    unreachable: {
      title: "The store is not responding",
      advice: "Check your connection and try again. Sending something twice has no further effect.",
    },
    pictureTooLarge: {
      title: "The picture is too large",
      advice: "A picture has at most 5 MB. Make it smaller and upload it again.",
    },
  },
  notLoaded: {
    title: "This page could not be loaded",
    noConnection: "There is no connection to the server. The page opens automatically when the connection is back.",
    newer: "Reload the page. The app may have been updated since you opened it.",
  },
  broken: { title: "Something went wrong", advice: "Reload the page. This can happen when the app was updated." },
  notFound: { title: "Page not found", advice: "The address may be mistyped, or the page no longer exists." },
};
