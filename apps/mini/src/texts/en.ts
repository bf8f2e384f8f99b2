/** What only the mini program says. */
export const en = {
  signedOut: {
    title: "Sign in first",
    advice: "Then you see your orders, your team and your earnings.",
    action: "Sign in with WeChat",
  },
  signIn: {
    title: "Sign in",
    advice: "Your WeChat account makes you a member.",
    invited: "Member {{uid}} invited you.",
    article: "Read this first",
  },
  consent: {
    advice: "Hear by WeChat what happens next. Each time that you agree is for one message.",
    action: "Tell me",
  },
  fromWechat: "Use an address from WeChat",
  region: "Region",
  chooseRegion: "Choose province, city and district",
  usePoints: "Use {{points}} points, which pay {{money}}",
  noAddress: { title: "Choose an address", advice: "The order needs a delivery address." },
  poster: {
    saved: "The poster was saved to your photos.",
    refused: {
      title: "The poster could not be saved",
      advice: "Allow saving to your photos in the settings, then try again.",
    },
  },
  pictures: {
    refused: {
      title: "The pictures could not be opened",
      advice: "Allow the camera and your photos in the settings, then try again.",
    },
  },
  file: {
    ready: "The file is ready. Send it to a chat to keep it, such as File Transfer.",
    send: "Send to a chat",
    notKept: { title: "The file could not be saved", advice: "Free some space on the phone, then try again." },
    notSent: { title: "The file could not be sent", advice: "Update WeChat, then try again." },
  },
  openSettings: "Open the settings",
  copyLink: "Copy the link",
  remove: "Remove",
  yes: "Yes",
  no: "No",
};
