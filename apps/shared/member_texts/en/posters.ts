/** The poster, the share link, and the sharing of a page. */
export const posters = {
  title: "Share",
  advice: "Share your poster or link. Everyone who signs up through it becomes your direct member.",
  alt: "Your poster with a QR code of your share link",
  link: "Your share link",
  copy: "Copy",
  copyLink: "Copy the share link",
  save: "Save the poster",
  share: "Share the link",
  sharePage: "Share this page",
  guide: {
    card: "Tap ··· in the upper right corner of WeChat, then choose where the page goes. Or copy its link.",
    chat: "Copy the link, and paste it into a chat.",
    link: "Copy the link, and send it to whom you like.",
  },
  invitation: "Join me at {{name}}",
};
