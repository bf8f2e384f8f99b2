/** The poster and the share link. */
export const posters = {
  title: "Share",
  advice: "Share your poster or link. Everyone who signs up through it becomes your direct member.",
  alt: "Your poster with a QR code of your share link",
  link: "Your share link",
  copy: "Copy",
  copyLink: "Copy the share link",
  save: "Save the poster",
  share: "Share the link",
  invitation: "Join me at {{name}}",
};
